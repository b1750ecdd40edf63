import { type McpServer, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { SessionContext } from "./context.ts";

/** Creates a session's server, without connecting it: the offer, or one tool of it, and the subscription to resources. */
export function sessionServer(context: SessionContext, session: string, caller: Caller, tool?: string): McpServer {
  const { offer, backplane } = context;
  const product = offer.server(caller, tool);
  const { server } = product;
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
  server.setRequestHandler("resources/subscribe", async ({ params }) => {
    // A hidden resource gets the same response as one that does not exist.
    if (!(await offer.mayRead(caller.actor, params.uri))) throw new ResourceNotFoundError(params.uri);
    await backplane.subscribe(session, params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params }) => {
    await backplane.unsubscribe(session, params.uri);
    return {};
  });
  return product;
}
