import type { Credential } from "@kb/core/testing";
import { type Contract, contractOf } from "./contract.ts";

/** A Hono app, or anything that answers a request as one does. */
export type App = { readonly fetch: (request: Request) => Response | Promise<Response> };

/** Response of an API. */
export type Reply<Body> = { readonly status: number; readonly headers: Headers; readonly body: Body };

/** The body of an error. */
export type Failure = {
  readonly error: string;
  readonly code: string;
  readonly details?: readonly { readonly path: string; readonly message: string; readonly [fact: string]: unknown }[];
  readonly retryAfterSeconds?: number;
};

/** The body of an answer about one thing, and of a page of a list. */
export type One<Thing> = { readonly data: Thing };
export type Many<Thing> = { readonly data: readonly Thing[] };
export type Page<Thing> = Many<Thing> & { readonly total: number; readonly limit: number; readonly offset: number };

/** Parts of a request besides its method and path. */
export type Sending = {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is; with it, the content type is up to `headers`. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A client of the API. The type of a body is the claim of the test; every response is checked against the description. */
export type ApiClient = {
  send<Body = Failure>(method: string, path: string, sending?: Sending): Promise<Reply<Body>>;
  get<Body = Failure>(path: string, headers?: Sending["headers"]): Promise<Reply<Body>>;
  post<Body = Failure>(path: string, json?: unknown, headers?: Sending["headers"]): Promise<Reply<Body>>;
  patch<Body = Failure>(path: string, json: unknown, headers?: Sending["headers"]): Promise<Reply<Body>>;
  delete<Body = Failure>(path: string, headers?: Sending["headers"]): Promise<Reply<Body>>;
  /** The same API with another credential; none for null. */
  as(credential: Credential): ApiClient;
};

type Fetch = (request: Request) => Response | Promise<Response>;

const contracts = new WeakMap<Fetch, Promise<Contract>>();

/**
 * A client of an app, or of a service at a URL. Every answer is held to the service's own `/openapi.json`: an undocumented
 * status or header, or another body than the described one, throws a `ContractError`. The description is read once for an app, and
 * for each client of a URL, where a later service may describe something else.
 */
export function api(target: App | string, credential: Credential): ApiClient {
  const origin = typeof target === "string" ? target : "http://localhost:3000";
  const ask: Fetch = typeof target === "string" ? (request) => fetch(request) : target.fetch;
  return clientOf(ask, origin, credential);
}

/** Returns the headers that a program sends with its key, or a page of the app with its session. */
function headersOf(credential: Credential, origin: string): Readonly<Record<string, string>> {
  if (credential === null) return {};
  if (typeof credential === "string") return { Authorization: `Bearer ${credential}` };
  return { Cookie: credential.cookie, Origin: origin, "X-CSRF-Token": credential.csrf };
}

function clientOf(ask: Fetch, origin: string, credential: Credential): ApiClient {
  const send = async <Body>(method: string, path: string, sending: Sending = {}): Promise<Reply<Body>> => {
    const url = new URL(path, origin);
    const { json, raw, headers = {} } = sending;
    const body = json === undefined ? raw : JSON.stringify(json);
    const request = new Request(url, {
      method,
      headers: {
        ...headersOf(credential, origin),
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body, duplex: "half" }),
    });
    const response = await ask(request);
    const received = await bodyOf(response);
    const contract = await contractFor(ask, origin);
    contract.check({ method, path: url.pathname, status: response.status, headers: response.headers, body: received });
    return { status: response.status, headers: response.headers, body: asBody<Body>(received) };
  };
  return {
    send,
    get: (path, headers) => send("GET", path, headers === undefined ? {} : { headers }),
    post: (path, json, headers) => send("POST", path, { json, ...(headers === undefined ? {} : { headers }) }),
    patch: (path, json, headers) => send("PATCH", path, { json, ...(headers === undefined ? {} : { headers }) }),
    delete: (path, headers) => send("DELETE", path, headers === undefined ? {} : { headers }),
    as: (other) => clientOf(ask, origin, other),
  };
}

/** Reads the first message of a stream, and ends it. */
async function firstMessage(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) return firstMessage(response);
  const text = await response.text();
  if (text === "") return undefined;
  const type = response.headers.get("content-type") ?? "";
  return type.startsWith("application/json") ? JSON.parse(text) : text;
}

/** Guarantees the type that the test claims; the contract has checked the body against the description. */
function asBody<Body>(received: unknown): Body {
  return received as Body;
}

function contractFor(ask: Fetch, origin: string): Promise<Contract> {
  const known = contracts.get(ask);
  if (known !== undefined) return known;
  const read = readContract(ask, origin);
  contracts.set(ask, read);
  return read;
}

async function readContract(ask: Fetch, origin: string): Promise<Contract> {
  const response = await ask(new Request(new URL("/openapi.json", origin)));
  if (response.status !== 200) throw new Error(`/openapi.json answered ${response.status}`);
  return contractOf(await response.json());
}
