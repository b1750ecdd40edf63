import { Agent, request } from "node:http";
import type { Row } from "@kb/http";
import type { Credentials } from "./subjects.ts";
import type { WorstInput } from "./worst-input.ts";

/** The outcome of a request. `status` 0 is a failed connection or no end within the time limit. */
export type Outcome = { readonly status: number; readonly ms: number; readonly bytes: number };

/** A request that is ready to be sent. */
export type Prepared = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Whether the answer is a stream without an end, so that its first bytes end the request. */
  readonly isStream: boolean;
};

const giveUpMs = 60_000;

// With "Connection: close" the service would end the connection before a rejected body has arrived.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Builds the request of an input. The MCP endpoint has no row. */
export function prepare(
  origin: string,
  row: Row | undefined,
  input: WorstInput,
  credentials: Credentials,
  session: string,
): Prepared {
  const body = input.body?.();
  const type = body === undefined ? {} : bodyHeaders(body);
  if (row === undefined) {
    const own = { accept: "application/json, text/event-stream", "mcp-session-id": session };
    const headers = { ...credentials.key, ...type, ...own };
    return { url: `${origin}/api/mcp`, method: "POST", headers, body, isStream: false };
  }
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => input.path?.[name] ?? "");
  const query = input.query === undefined ? "" : `?${input.query}`;
  const url = `${origin}${path}${query}`;
  const headers = { ...credentialFor(row, credentials), ...type };
  return { url, method: row.method.toUpperCase(), headers, body, isStream: row.isStream };
}

/** Returns the headers of a body. Node sends no length with DELETE by itself, and the body would be taken for a request. */
const bodyHeaders = (body: string): Record<string, string> => ({
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(body)),
});

function credentialFor(row: Row, credentials: Credentials): Readonly<Record<string, string>> {
  if (row.caller === "channel") return credentials.channel;
  return row.sessionOnly ? credentials.session : credentials.key;
}

/**
 * Sends equal requests at once, each over a connection of its own, or one over `single`. Returns the time of the slowest, the bytes of all answers, and 0 or
 * else the greatest status. Never rejects.
 */
export async function sendAtOnce(prepared: Prepared, copies: number, single = agent): Promise<Outcome> {
  if (copies === 1) return send(prepared, single);
  const connections = new Agent({ keepAlive: true, maxSockets: copies });
  const body = prepared.body === undefined ? undefined : Buffer.from(prepared.body);
  const outcomes = await Promise.all(Array.from({ length: copies }, () => send({ ...prepared, body }, connections)));
  connections.destroy();
  const statuses = outcomes.map(({ status }) => status);
  return {
    status: statuses.includes(0) ? 0 : Math.max(...statuses),
    ms: Math.max(...outcomes.map(({ ms }) => ms)),
    bytes: outcomes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Sends a request and reads its answer to the end. Never rejects. */
export function send({ url, method, headers, body, isStream }: Prepared, connections = agent): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const started = performance.now();
  let bytes = 0;
  const finish = (status: number): void => resolve({ status, ms: performance.now() - started, bytes });
  const call = request(url, { method, headers, agent: connections }, (response) => {
    const status = response.statusCode ?? 0;
    if (isStream) {
      finish(status);
      call.destroy();
      return;
    }
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    response.on("end", () => finish(status));
    response.on("error", () => finish(0));
  });
  call.setTimeout(giveUpMs, () => call.destroy());
  call.on("error", () => finish(0));
  call.end(body);
  return promise;
}

/** The answer to a request for a session. `session` is null for one that begins none, such as 503. */
export type BegunSession = { readonly status: number; readonly session: string | null };

/** Begins a session of the protocol revision with batches; returns its id. @throws {Error} if the service begins none */
export async function beginSession(origin: string, credentials: Credentials): Promise<string> {
  const { status, session } = await tryBeginSession(origin, credentials);
  if (session === null) throw new Error(`the MCP endpoint began no session: ${status}`);
  return session;
}

/** Asks for a session of the protocol revision with batches. */
export async function tryBeginSession(origin: string, credentials: Credentials): Promise<BegunSession> {
  const clientInfo = { name: "bench", version: "1.0.0" };
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo };
  const headers = {
    ...credentials.key,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const begin = { jsonrpc: "2.0", id: 0, method: "initialize", params };
  const answer = await fetch(`${origin}/api/mcp`, { method: "POST", headers, body: JSON.stringify(begin) });
  await answer.text();
  const session = answer.headers.get("mcp-session-id");
  if (session === null) return { status: answer.status, session };
  const begun = { jsonrpc: "2.0", method: "notifications/initialized" };
  const sessionHeaders = { ...headers, "mcp-session-id": session };
  const second = await fetch(`${origin}/api/mcp`, {
    method: "POST",
    headers: sessionHeaders,
    body: JSON.stringify(begun),
  });
  await second.text();
  return { status: answer.status, session };
}
