import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Lifecycle } from "./lifecycle.ts";
import { RequestTurns } from "./request-turns.ts";
import { trackSilentConnections } from "./silent-connections.ts";

/** Options of a server; times in milliseconds. */
export type ServerOptions = {
  readonly listener: RequestListener;
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly lifecycle: Lifecycle;
  /**
   * Time at shutdown during which the process reports that it is unready and still serves, so that the health checks of a
   * proxy notice before a connection is refused. Default 0: there is no proxy.
   */
  readonly unreadyMs?: number;
  /** Requests that still run after this time are cut off at shutdown. Default 25,000. */
  readonly drainMs?: number;
  /** Time that a client has to send its headers. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Time in which a client has to take a part of its answer. Default 60,000. */
  readonly stalledMs?: number;
};

/** A server that listens. */
export type RunningServer = {
  readonly port: number;
  /** Reports unready, ends the streams, drains the requests, then closes. */
  close(): Promise<void>;
};

/** Starts a server; resolves once it listens. @throws {Error} with code `EADDRINUSE` if the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { listener, hostname, port, lifecycle, unreadyMs = 0, drainMs = 25_000, headersTimeoutMs = 10_000 } = options;
  const turns = new RequestTurns((incoming, outgoing) => {
    if (lifecycle.stopping) outgoing.setHeader("Connection", "close");
    listener(incoming, outgoing);
  });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: 120_000,
      // Longer than a proxy's usual minute, so that the server is never the first to close a connection.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
    },
    (incoming, outgoing) => turns.run(incoming, outgoing),
  );
  server.on("clientError", rejectMalformedRequest);
  disconnectStalled(server, options.stalledMs ?? 60_000, turns);
  const closeSilent = trackSilentConnections(server, headersTimeoutMs);
  await listen(server, hostname, port);
  return { port: portOf(server), close: () => close(server, lifecycle, { unreadyMs, drainMs, closeSilent }) };
}

/**
 * Disconnects a client that takes nothing of its answer for some time, because the memory of the answer is needed by others.
 * Node counts partial writes as activity, so a slow client stays. An answer that takes long to begin, and a stream between
 * two messages, have no bytes that wait.
 */
function disconnectStalled(server: Server, stalledMs: number, turns: RequestTurns): void {
  server.setTimeout(stalledMs, (socket) => {
    // Without a listener, Node itself would close a connection that is idle between two requests.
    if (socket.writableLength > 0 || !turns.isServing(socket)) socket.destroy();
  });
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

type CloseOptions = Required<Pick<ServerOptions, "unreadyMs" | "drainMs">> & { readonly closeSilent: () => void };

async function close(server: Server, lifecycle: Lifecycle, options: CloseOptions): Promise<void> {
  const { unreadyMs, drainMs, closeSilent } = options;
  // From now on each answer closes its connection, so that none is idle in a proxy's pool when it is closed here.
  lifecycle.markUnready();
  if (unreadyMs > 0) await pause(unreadyMs);
  // Streams end first: `server.close` would wait for them forever.
  lifecycle.stop();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const idle = setInterval(() => {
    server.closeIdleConnections();
    closeSilent();
  }, 100);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

const connectionFaults: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The request's headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long to arrive."],
};

/** Answers bytes that are not valid HTTP with one error and ends the connection: there is no request to answer. */
function rejectMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
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
