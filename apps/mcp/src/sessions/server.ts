import { type McpServer, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { SessionContext } from "./context.ts";

/** A server of the session, not connected yet: what is offered, and following resources, which only a session can. */
export function sessionServer(context: SessionContext, session: string, caller: Caller): McpServer {
  const { offer, backplane } = context;
  const product = offer.server(caller);
  const { server } = product;
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
  server.setRequestHandler("resources/subscribe", async ({ params }) => {
    // The same answer for what is hidden and for what does not exist.
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
