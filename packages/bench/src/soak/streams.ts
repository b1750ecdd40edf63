import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";

const version = "2025-11-25";
const retryAfterMs = 1_000;

/** Streams of changes that are opened again when they end. */
export type Streams = {
  readonly open: number;
  /** The number of received messages and comments. */
  readonly heard: number;
  /** The number of responses other than 200. Each is retried a second later. */
  readonly refused: number;
  /** Disconnects one stream, as a client would, and opens it again. */
  cutOne(): void;
  close(): void;
};

/** Begins sessions of assistants, with the keys in turn, and opens the stream of each. */
export async function openStreams(origin: string, keys: readonly string[], count: number): Promise<Streams> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const state = { heard: 0, refused: 0, closed: false, next: 0 };
  const calls = new Map<number, { call: ClientRequest; response?: IncomingMessage }>();
  const sessions: { key: string; session: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const key = keys[n % keys.length] ?? "";
    sessions.push({ key, session: await beginSession(origin, key) });
  }
  const reopen = (n: number, afterMs: number): void => {
    setTimeout(() => (state.closed ? undefined : open(n)), afterMs);
  };
  const open = (n: number): void => {
    const { key, session } = sessions[n] ?? { key: "", session: "" };
    const headers = { ...headersOf(key), accept: "text/event-stream", "mcp-session-id": session };
    const call = request(`${origin}/api/mcp`, { agent, method: "GET", headers }, (response) => {
      calls.set(n, { call, response });
      if (response.statusCode === 200) response.on("data", () => (state.heard += 1));
      else {
        state.refused += 1;
        response.resume();
      }
      response.on("error", () => {});
      response.on("close", () => reopen(n, response.statusCode === 200 ? 0 : retryAfterMs));
    });
    // The end of the response reopens a stream that had begun.
    call.on("error", () => (calls.get(n)?.response === undefined ? reopen(n, retryAfterMs) : undefined));
    calls.set(n, { call });
    call.end();
  };
  for (let n = 0; n < count; n += 1) open(n);
  return {
    get open() {
      return [...calls.values()].filter(({ response }) => response?.destroyed === false).length;
    },
    get heard() {
      return state.heard;
    },
    get refused() {
      return state.refused;
    },
    cutOne: () => {
      calls.get(state.next % count)?.call.destroy();
      state.next += 1;
    },
    close: () => {
      state.closed = true;
      for (const { call } of calls.values()) call.destroy();
      agent.destroy();
    },
  };
}

const headersOf = (key: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  "mcp-protocol-version": version,
});

async function beginSession(origin: string, key: string): Promise<string> {
  const headers = {
    ...headersOf(key),
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const send = (message: object, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${origin}/api/mcp`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(message) });
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "soak", version: "1.0.0" } };
  const answer = await send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  const session = answer.headers.get("mcp-session-id");
  if (session === null) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  await answer.text();
  await (await send({ jsonrpc: "2.0", method: "notifications/initialized" }, { "mcp-session-id": session })).text();
  return session;
}
