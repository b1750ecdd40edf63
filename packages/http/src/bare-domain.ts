import type { EdgeMiddleware } from "./edge.ts";
import { methodNotAllowed } from "./error-handlers.ts";

/**
 * Guards `/`: answers requests of MCP clients with 405 and the address of the endpoint, because people enter the bare
 * domain in their assistant's settings. Lets pass what a browser sends.
 */
export function refuseMcpClients(appUrl: string): EdgeMiddleware {
  return async (context, next) => {
    const wantsEvents = (context.req.header("Accept") ?? "").toLowerCase().includes("text/event-stream");
    const isRead = ["GET", "HEAD"].includes(context.req.method);
    if (isRead && !wantsEvents) return next();
    context.set("route", "/");
    context.header("Allow", "GET");
    throw methodNotAllowed("GET", `This is not the MCP endpoint. Use ${appUrl}/api/mcp`);
  };
}
