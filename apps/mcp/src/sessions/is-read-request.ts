import { readOnlyTools } from "@kb/mcp-tools";
import type { JSONRPCRequest } from "@modelcontextprotocol/server";

const readMethods: ReadonlySet<string> = new Set([
  "ping",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
]);

/** Tells whether a request only reads, so that a client may send it again. An unknown one counts as a change. */
export function isReadRequest({ method, params }: JSONRPCRequest): boolean {
  if (method !== "tools/call") return readMethods.has(method);
  const name = params?.name;
  return typeof name === "string" && readOnlyTools.has(name);
}
