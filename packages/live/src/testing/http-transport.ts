import { setTimeout as pause } from "node:timers/promises";
import {
  type FailureKind,
  type StreamReceiver,
  type Transport,
  TransportFailure,
  type WireBatch,
} from "../session/transport.ts";
import { serverEvents } from "./server-events.ts";

/** The connection of one person's tab to the service. */
export interface HttpConnection {
  readonly documentId: string;
  /** Returns the origin of the instance of the next call. */
  readonly origin: () => string;
  /** The headers of a session: `Cookie`, `Origin` and `X-CSRF-Token`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The time that each request and each answer takes on their way. Default 0. */
  readonly oneWayMs?: number;
  /** A call without an answer ends after this time, and so does a stream that is silent. Default 30 seconds. */
  readonly timeoutMs?: number;
  /** Ends all calls and streams of a tab that has crashed. */
  readonly signal?: AbortSignal;
}

const reconnectMs = 500;

/** Connects a session to a service over HTTP, as a browser does. */
export function httpTransport(connection: HttpConnection): Transport {
  const { documentId } = connection;
  return {
    open: () => post(connection, "live.open", { documentId }),
    push: (batch) => post(connection, "live.push", { documentId, ...batch }),
    batches: (position) => post(connection, "live.batches", { documentId, ...position }),
    stream: (position, receiver) => {
      const ending = new AbortController();
      const signal = AbortSignal.any([ending.signal, ...(connection.signal === undefined ? [] : [connection.signal])]);
      void follow({ ...connection, signal }, position, receiver);
      return () => ending.abort();
    },
  };
}

/** @throws {TransportFailure} */
async function post<Answer>(connection: HttpConnection, name: string, body: object): Promise<Answer> {
  const { origin, headers, oneWayMs = 0 } = connection;
  const reply = await request(connection, async (signal) => {
    await pause(oneWayMs);
    const answer = await fetch(`${origin()}/api/${name}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    const read = { status: answer.status, body: await answer.json() };
    await pause(oneWayMs);
    return read;
  });
  if (reply.status === 200) return reply.body.data;
  const { code, error, retryAfterSeconds = 0 } = reply.body;
  throw new TransportFailure(kindOf(reply.status, code), `${reply.status} ${error}`, retryAfterSeconds * 1_000);
}

/** @throws {TransportFailure} `unreachable` */
async function request<Answer>(
  { timeoutMs = 30_000, signal }: HttpConnection,
  send: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]));
  } catch (error) {
    throw new TransportFailure("unreachable", String(error));
  }
}

const kinds: Readonly<Record<string, FailureKind>> = {
  lineage_changed: "reopen",
  too_old: "reopen",
  conflict: "superseded",
  schema_ahead: "outdated",
};

function kindOf(status: number, code: string): FailureKind {
  if (status === 401 || status === 429 || status >= 500) return "unreachable";
  if (status === 403) return "forbidden";
  return status === 404 ? "gone" : (kinds[code] ?? "refused");
}

type Followed = HttpConnection & { readonly signal: AbortSignal };
type Position = Parameters<Transport["stream"]>[0];

/** Follows the stream, and connects again until it is ended. */
async function follow(connection: Followed, position: Position, receiver: StreamReceiver): Promise<void> {
  while (!connection.signal.aborted) {
    const end = await followOnce(connection, position, receiver).catch(() => null);
    if (connection.signal.aborted) return;
    if (end !== null) return receiver.ended(end);
    receiver.connected(false);
    await pause(reconnectMs);
  }
}

/** Returns why the stream is over for good; null for one that was lost. */
async function followOnce(
  { documentId, origin, headers, oneWayMs = 0, timeoutMs = 30_000, signal }: Followed,
  position: Position,
  receiver: StreamReceiver,
): Promise<"reopen" | "gone" | null> {
  const { lineage, since } = position();
  const query = new URLSearchParams({ documentId, lineage, since: String(since) });
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), timeoutMs);
  try {
    const reply = await fetch(`${origin()}/api/live.stream?${query}`, {
      headers: { ...headers },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (reply.status === 404) return "gone";
    if (!reply.ok || reply.body === null) return null;
    receiver.connected(true);
    for await (const { event, data } of serverEvents(reply.body, () => timer.refresh())) {
      if (event === "reset") return "reopen";
      if (event === "gone") return "gone";
      setTimeout(() => signal.aborted || deliver(receiver, event, data), oneWayMs);
    }
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function deliver(receiver: StreamReceiver, event: string, data: string): void {
  if (event === "batch") {
    const batch: WireBatch = JSON.parse(data);
    receiver.batch(batch);
  }
  if (event === "access") {
    const { canWrite }: { readonly canWrite: boolean } = JSON.parse(data);
    receiver.access(canWrite);
  }
}
