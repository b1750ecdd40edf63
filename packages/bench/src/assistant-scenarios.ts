import type { Scenario } from "./scenarios.ts";

/** The same operation called by an assistant and over REST. */
export type Pair = { readonly mcp: Scenario; readonly rest: Scenario };

/** The protocol revision of a call: the one without sessions, or the one before it in a session that has begun. */
export type ProtocolRevision = { readonly name: string; readonly aim: number; readonly session?: string };

/** The documents of the scenarios. Appends alternate between many of them, so that none grows out of proportion. */
export type Subjects = { readonly documentId: string; readonly appendTargets: readonly string[] };

/** Returns a read, a search and a write, each by its tool and by its route. */
export function pairs(revision: ProtocolRevision, { documentId, appendTargets }: Subjects): Pair[] {
  const target = (n: number): string => appendTargets[n % appendTargets.length] ?? documentId;
  const rest = (method: "GET" | "POST", path: string): Scenario => {
    return { name: "REST", kind: method === "GET" ? "read" : "write", aim: 1, method, path };
  };
  return [
    {
      mcp: call(revision, "get_document", () => ({ id: documentId })),
      rest: rest("GET", `/api/v1/documents/${documentId}?format=markdown`),
    },
    {
      mcp: call(revision, "search", () => ({ query: "prefetching" })),
      rest: rest("GET", "/api/v1/search?query=prefetching&limit=10"),
    },
    {
      mcp: call(revision, "append_to_document", (n) => ({ id: target(n), markdown: `Line ${n}` })),
      rest: {
        ...rest("POST", "/api/v1/documents"),
        pathOf: (n) => `/api/v1/documents/${target(n)}/edits`,
        body: (n) => JSON.stringify({ op: "append", markdown: `Line ${n}` }),
      },
    },
  ];
}

const modern = "2026-07-28";

/** Returns the call of a tool. */
export function call({ name, aim, session }: ProtocolRevision, tool: string, input: (n: number) => object): Scenario {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": modern,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const own: Record<string, string> =
    session === undefined
      ? { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": tool }
      : { "mcp-protocol-version": "2025-11-25", "mcp-session-id": session };
  return {
    name: `${tool}, ${name}`,
    kind: "write",
    aim,
    method: "POST",
    path: "/api/mcp",
    headers: { accept: "application/json, text/event-stream", ...own },
    body: (n) => {
      const params = { name: tool, arguments: input(n), ...(session === undefined ? { _meta: meta } : {}) };
      return JSON.stringify({ jsonrpc: "2.0", id: n, method: "tools/call", params });
    },
  };
}
