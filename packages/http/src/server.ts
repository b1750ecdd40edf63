import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { ServiceError } from "@kb/core";
import { errorAnswer } from "./error-table.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { watchSilent } from "./silent-connections.ts";

/** Anything that answers requests; a Hono app's `fetch` is one. */
export type Fetch = Parameters<typeof getRequestListener>[0];

/** How to serve; times in milliseconds. */
export type ServeOptions = {
  readonly fetch: Fetch;
  readonly hostname: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly lifecycle: Lifecycle;
  /**
   * So long the process says at shutdown that it is unready, and serves all the same: the health checks of a proxy in
   * front take notice before a connection is refused. Default 0: nothing is in front.
   */
  readonly unreadyMs?: number;
  /** Requests that still run after this are cut off at shutdown. Default 25,000. */
  readonly drainMs?: number;
  /** A client has this long to send its headers. Default 10,000. */
  readonly headersTimeoutMs?: number;
};

/** A server that listens. */
export type Running = {
  readonly port: number;
  /** Unready, then streams ended, requests drained, closed. */
  close(): Promise<void>;
};

/** Listens; resolves when requests are served. @throws {Error} with code `EADDRINUSE` where the port is taken. */
export async function serve(options: ServeOptions): Promise<Running> {
  const { fetch, hostname, port, lifecycle, unreadyMs = 0, drainMs = 25_000, headersTimeoutMs = 10_000 } = options;
  const listener = getRequestListener(fetch, { hostname, errorHandler: unreadableRequest });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: 120_000,
      // Longer than the usual minute of a proxy in front, so that it is never the server that closes first.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
    },
    (incoming, outgoing) => {
      if (lifecycle.stopping) outgoing.setHeader("Connection", "close");
      void listener(incoming, outgoing);
    },
  );
  server.on("clientError", refuseConnection);
  const endSilent = watchSilent(server, headersTimeoutMs);
  await listen(server, hostname, port);
  return { port: portOf(server), close: () => close(server, lifecycle, { unreadyMs, drainMs, endSilent }) };
}

function listen(server: Server, hostname: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, hostname, () => {
    server.off("error", reject);
    resolve();
  });
  return promise;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

type Ending = Required<Pick<ServeOptions, "unreadyMs" | "drainMs">> & { readonly endSilent: () => void };

async function close(server: Server, lifecycle: Lifecycle, { unreadyMs, drainMs, endSilent }: Ending): Promise<void> {
  // Each answer closes its connection from now on, so that none is idle in a proxy's pool when it is closed here.
  lifecycle.leave();
  if (unreadyMs > 0) await pause(unreadyMs);
  // First the streams: `server.close` would wait for them for ever.
  lifecycle.stop();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const idle = setInterval(() => {
    server.closeIdleConnections();
    endSilent();
  }, 100);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

/** A request line or `Host` that no URL can be made of. */
function unreadableRequest(): Response {
  const { status, body } = errorAnswer(new ServiceError("validation_error", "The request's address is not readable."));
  return Response.json(body, { status, headers: { "X-Content-Type-Options": "nosniff" } });
}

const connectionFaults: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The request's headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long to arrive."],
};

/** What is no HTTP has no request to answer: one error, and the connection ends. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = connectionFaults[error.code ?? ""];
  const [status, reason, message] = known ?? [400, "Bad Request", "This is not a valid HTTP request."];
  const body = JSON.stringify({ error: message, code: "validation_error" });
  const head = `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
