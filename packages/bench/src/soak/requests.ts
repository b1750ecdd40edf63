import { Agent, type IncomingMessage, request } from "node:http";

/** The data of the requests. */
export type SoakData = {
  readonly collectionId: string;
  readonly documents: readonly string[];
  readonly body: string;
  /** The fields that the lists ask for, separated by commas. Default: whole documents. */
  readonly listedFields?: string;
};

type SoakRequest = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The time after which the client disconnects. */
  readonly abortAfterMs?: number;
  /** Receives the text of the response. */
  readonly keep?: (text: string) => void;
};

/** The outcomes of the requests so far. */
export type Tally = {
  sent: number;
  good: number;
  aborted: number;
  readonly failed: Map<string, number>;
  /** The times of the good responses, from the request to their end, by what was requested. */
  readonly responseMs: Map<string, number[]>;
};

/** Sends the n-th request of the mixture. Resolves when its response has ended or its client has disconnected as planned. */
export type Sender = (n: number) => Promise<void>;

const modern = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": { name: "soak", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function toolCall(name: string, input: object): SoakRequest {
  return {
    method: "POST",
    path: "/api/mcp",
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input, _meta: meta } },
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": modern,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
  };
}

/**
 * Returns the n-th request of a cycle of mostly reads, some changes, tool calls, exports, and clients that disconnect. `made`
 * contains the documents that it created. Each is deleted a cycle later, so that the last export is as long as the first.
 */
function requestOfMixture(data: SoakData, made: string[], n: number): SoakRequest {
  const { collectionId, documents, body, listedFields } = data;
  const listed = listedFields === undefined ? "" : `&fields=${listedFields}`;
  // Each place of the cycle reaches every document, so that an appended one is also replaced and keeps its length.
  const id = documents[(n * 7919 + Math.floor(n / 100)) % documents.length] ?? "";
  const document = `/api/v1/documents/${id}`;
  const exported = `/api/v1/collections.export?id=${collectionId}`;
  const place = n % 100;
  if (place < 32) return { method: "GET", path: `${document}?format=markdown` };
  if (place < 50) return { method: "GET", path: `/api/v1/documents?limit=25${listed}` };
  if (place < 64) return { method: "GET", path: `/api/v1/search?query=${["component", "prefetch", "astro"][n % 3]}` };
  if (place < 70) return { method: "GET", path: "/api/v1/documents?updatedSince=2020-01-01T00:00:00Z&limit=100" };
  if (place < 78) return { method: "PATCH", path: document, json: { text: `${body}\n\nChange ${n}\n` } };
  if (place < 82) return { method: "POST", path: `${document}/edits`, json: { op: "append", markdown: `Line ${n}` } };
  if (place < 83) {
    const keep = (text: string): number => made.push(JSON.parse(text).data.id);
    const json = { collectionId, title: `Made ${n}`, text: body };
    return { method: "POST", path: "/api/v1/documents", json, keep };
  }
  const trashed = place < 84 ? made.shift() : undefined;
  if (trashed !== undefined) return { method: "DELETE", path: `/api/v1/documents/${trashed}` };
  if (place < 89) return toolCall("search", { query: "component" });
  if (place < 94) return toolCall("get_document", { id });
  if (place < 95) return { method: "GET", path: exported };
  if (place < 96) return { method: "GET", path: exported, abortAfterMs: 30 };
  if (place < 98) return { method: "GET", path: `/api/v1/documents?limit=100${listed}`, abortAfterMs: 2 };
  return { method: "PATCH", path: document, json: { text: `${body}\n\nAborted ${n}\n` }, abortAfterMs: 4 };
}

/** Returns a function that sends requests from one connection pool, with the keys in turn. */
export function sender(
  origin: string,
  keys: readonly string[],
  data: SoakData,
): { send: Sender; tally: Tally; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const tally: Tally = { sent: 0, good: 0, aborted: 0, failed: new Map(), responseMs: new Map() };
  const made: string[] = [];
  const send = async (n: number): Promise<void> => {
    const planned = requestOfMixture(data, made, n);
    tally.sent += 1;
    const started = performance.now();
    const outcome = await sendRequest(agent, origin, keys[n % keys.length] ?? "", planned).catch(
      (error: Error) => error.message,
    );
    const what = nameOf(planned);
    if (outcome === "good") {
      tally.good += 1;
      const times = tally.responseMs.get(what) ?? [];
      tally.responseMs.set(what, [...times, performance.now() - started]);
    } else if (outcome === "aborted") tally.aborted += 1;
    else {
      const failure = `${what}: ${outcome}`;
      tally.failed.set(failure, (tally.failed.get(failure) ?? 0) + 1);
    }
  };
  return { send, tally, close: () => agent.destroy() };
}

/** Names what is requested: the route, with the tool that is called, and the parameter that makes a list a sync page. */
function nameOf({ method, path, headers }: SoakRequest): string {
  const route = path.split("?")[0]?.replaceAll(/[0-9a-f-]{36}/g, "…");
  const sync = path.includes("updatedSince=") ? " (sync)" : "";
  return `${method} ${route}${sync}${headers?.["mcp-name"] === undefined ? "" : ` (${headers["mcp-name"]})`}`;
}

function sendRequest(agent: Agent, origin: string, key: string, planned: SoakRequest): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const body = planned.json === undefined ? undefined : JSON.stringify(planned.json);
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...planned.headers,
  };
  let aborted = false;
  const finish = (response: IncomingMessage): void => {
    const status = response.statusCode ?? 0;
    let text = "";
    response.on("error", (error) => (aborted ? resolve("aborted") : reject(error)));
    response.on("end", () => {
      if (status < 300) planned.keep?.(text);
      resolve(status < 300 ? "good" : `status ${status}`);
    });
    if (planned.keep === undefined) response.resume();
    else response.setEncoding("utf8").on("data", (part) => (text += part));
  };
  const call = request(`${origin}${planned.path}`, { agent, method: planned.method, headers }, finish);
  call.on("error", (error) => (aborted ? resolve("aborted") : reject(error)));
  call.on("close", () => resolve("aborted"));
  if (planned.abortAfterMs !== undefined) {
    setTimeout(() => {
      aborted = true;
      call.destroy();
    }, planned.abortAfterMs);
  }
  call.end(body);
  return promise;
}
