import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ServiceError } from "@kb/core";
import { type RunningServer, type ServerOptions, startServer } from "@kb/runtime";
import { errorAnswer } from "./error-table.ts";

/** Anything that answers requests, such as the `fetch` of a Hono app. */
export type Fetch = Parameters<typeof getRequestListener>[0];

/** Options of a server; times in milliseconds. */
export type ServeOptions = Omit<ServerOptions, "listener"> & { readonly fetch: Fetch };

/** Serves `fetch`; resolves once it listens. @throws {Error} with code `EADDRINUSE` if the port is taken. */
export function serve({ fetch, ...options }: ServeOptions): Promise<RunningServer> {
  return startServer({ ...options, listener: requestListener(fetch, options.hostname) });
}

/** Adapts `fetch` to Node's server. */
export function requestListener(fetch: Fetch, hostname: string): RequestListener {
  const listener = getRequestListener(fetch, { hostname, errorHandler: answerUnreadableRequest });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/** Answers a request whose line or `Host` does not form a URL. */
function answerUnreadableRequest(): Response {
  const { status, body } = errorAnswer(new ServiceError("validation_error", "The request's address is not readable."));
  return Response.json(body, { status, headers: { "X-Content-Type-Options": "nosniff" } });
}
