import { boot } from "../app/boot.ts";
import { reportAnswer, reportFailure } from "../app/connection.ts";
import { beginWork } from "../app/settled.ts";
import { type InputOf, type OperationName, type OutputOf, places } from "./contract.ts";
import { Failure, failureOf } from "./failure.ts";
import { askForProof } from "./proof.ts";

/** Options of a call. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Names the request, so that a repeat after a lost answer changes nothing. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the browser sends it even after the page has gone. */
  readonly keepalive?: boolean;
};

/**
 * Calls an operation of the service in this browser's session. Where the service wants a proof first, the reader is asked for it,
 * and the call is repeated.
 * @throws {Failure} if the service refused it, or with status 0 if it could not be reached
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { signal, idempotencyKey, keepalive = false }: CallOptions = {},
): Promise<OutputOf<Name>> {
  const { method, path, inData = true } = places[name] ?? { method: "POST", path: `/api/${name}` };
  const values = new Map<string, unknown>(Object.entries(input ?? {}));
  const address = path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(values.get(key));
    values.delete(key);
    return encodeURIComponent(value);
  });
  const sent = method === "GET" ? { address: `${address}${queryOf(values)}` } : { address, body: bodyOf(values) };
  // The token is read anew for each attempt: a proof may be another log-in.
  const attempt = () =>
    send(sent.address, {
      method,
      keepalive,
      headers: {
        "Content-Type": "application/json",
        "X-CSRF-Token": boot().app.csrfToken,
        ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      },
      ...("body" in sent && { body: sent.body }),
      ...(signal && { signal }),
    });
  const answer = await attempt().catch(async (error: unknown) => {
    const needsProof = error instanceof Failure && error.code === "proof_required";
    if (!needsProof || !(await askForProof())) throw error;
    return attempt();
  });
  const body: unknown = await answer.json();
  return outputOf<Name>(inData && hasData(body) && !isList(body) ? body.data : body);
}

/**
 * Sends a request in this browser's session, and lets the app show an outage or the end of the session.
 * @throws {Failure} if the service refused it, or with status 0 if it could not be reached
 */
export async function send(address: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  const sentAt = Date.now();
  const endWork = beginWork();
  try {
    answer = await fetch(address, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    reportFailure({ status: 0 }, sentAt);
    throw new Failure(0, { error: "The service could not be reached.", code: "offline" });
  } finally {
    endWork();
  }
  if (answer.ok) {
    reportAnswer(sentAt);
    return answer;
  }
  const failure = await failureOf(answer);
  reportFailure(failure, sentAt);
  throw failure;
}

const bodyOf = (values: ReadonlyMap<string, unknown>): string => JSON.stringify(Object.fromEntries(values));

function queryOf(values: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of values) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function hasData(body: unknown): body is { data: unknown } {
  return typeof body === "object" && body !== null && "data" in body;
}

/** Returns whether the answer is a page of a list, whose rows stand in `data` beside `total`. */
const isList = (body: object): boolean => "total" in body || "hasMore" in body;

/** Narrows an answer to the operation's output: the service has parsed it against that schema. */
function outputOf<Name extends OperationName>(value: unknown): OutputOf<Name> {
  return value as OutputOf<Name>;
}
