import type { Request } from "./load.ts";

const json = { "Content-Type": "application/json" };
const revision = "2026-07-28";
const modern = { "MCP-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "get_document" };

/** The needs of a client of a load: a key that writes, a document to read, and the collection to write to. */
export type LoadClient = { readonly key: string; readonly documentId: string; readonly collectionId: string };

/** The requests of a load: reads and writes over REST, a tool call, the login page. One in twelve is a write. */
export function requestsWith({ key, documentId, collectionId }: LoadClient): ((index: number) => Request)[] {
  const headers = { Authorization: `Bearer ${key}` };
  const get = (name: string, path: string) => (): Request => ({ name, path, headers });
  const one = get("get", `/api/v1/documents/${documentId}`);
  const list = get("list", "/api/v1/documents?limit=10");
  const search = get("search", "/api/v1/search?query=guide");
  const logIn = (): Request => ({ name: "log-in page", path: "/login" });
  const create = (index: number): Request => ({
    name: "create",
    method: "POST",
    path: "/api/v1/documents",
    headers: { ...headers, ...json },
    body: JSON.stringify({ collectionId, title: `Load ${index}`, text: "# Text", publish: true }),
  });
  const tool = (index: number): Request => ({
    name: "tool",
    method: "POST",
    path: "/api/mcp",
    headers: { ...headers, ...json, Accept: "application/json, text/event-stream", ...modern },
    body: JSON.stringify(toolCall(index, documentId)),
  });
  // One request in twelve is a write, because the writes of a team run one at a time.
  return [one, list, tool, create, search, one, logIn, list, tool, one, logIn, search];
}

/** A tool call of the protocol revision without sessions, in which each request names the client. */
const toolCall = (id: number, documentId: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: {
    name: "get_document",
    arguments: { id: documentId },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "load", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});
