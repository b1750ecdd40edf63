import type { Scenario } from "./scenarios.ts";

/** The same operation asked by an assistant and over REST. */
export type Pair = { readonly mcp: Scenario; readonly rest: Scenario };

/** How a call is sent: by the revision without sessions, or in a session that has begun. */
export type Era = { readonly name: string; readonly aim: number; readonly session?: string };

/** What is asked about; appended to are many documents in turn, so that none grows out of proportion. */
export type Subjects = { readonly documentId: string; readonly appendedTo: readonly string[] };

/** Reading, searching and writing, each by its tool and by its route. */
export function pairs(era: Era, { documentId, appendedTo }: Subjects): Pair[] {
  const target = (n: number): string => appendedTo[n % appendedTo.length] ?? documentId;
  const rest = (method: "GET" | "POST", path: string): Scenario => {
    return { name: "REST", kind: method === "GET" ? "read" : "write", aim: 1, method, path };
  };
  return [
    {
      mcp: call(era, "get_document", () => ({ id: documentId })),
      rest: rest("GET", `/api/v1/documents/${documentId}?format=markdown`),
    },
    {
      mcp: call(era, "search", () => ({ query: "prefetching" })),
      rest: rest("GET", "/api/v1/search?query=prefetching&limit=10"),
    },
    {
      mcp: call(era, "append_to_document", (n) => ({ id: target(n), markdown: `Line ${n}` })),
      rest: {
        ...rest("POST", "/api/v1/documents"),
        pathOf: (n) => `/api/v1/documents/${target(n)}/edits`,
        body: (n) => JSON.stringify({ op: "append", markdown: `Line ${n}` }),
      },
    },
  ];
}

const modern = "2026-07-28";

/** A call of a tool. */
export function call({ name, aim, session }: Era, tool: string, input: (n: number) => object): Scenario {
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
