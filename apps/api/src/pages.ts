import { type Edge, methodNotAllowed, type Row } from "@kb/http";
import type { Hono } from "hono";

/** What is served outside of `/api`: for people, and for tools that read the description. */
export function servePages(app: Hono<Edge>, options: { appUrl: string; rows: readonly Row[] }): void {
  const { appUrl } = options;
  app.all("/", (context) => {
    context.header("Allow", "GET");
    throw methodNotAllowed("GET", `The MCP endpoint is ${appUrl}/api/mcp.`);
  });
}
