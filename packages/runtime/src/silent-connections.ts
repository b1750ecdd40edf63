import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A connection without a byte for this long was opened for later use, as browsers do. */
const silentMs = 1_000;

/**
 * Tracks connections on which no request has arrived: Node counts them as busy, so a server that stops would wait for them.
 * Returns a function that closes those that have been silent for a second, and those whose headers are overdue, because a
 * server that stops no longer applies `headersTimeout`.
 */
export function trackSilentConnections(server: Server, headersTimeoutMs: number): () => void {
  const openedAt = new Map<Socket, number>();
  const forget = (socket: Socket): void => void openedAt.delete(socket);
  server.on("connection", (socket) => {
    openedAt.set(socket, performance.now());
    socket.once("close", () => forget(socket));
  });
  server.on("request", ({ socket }) => forget(socket));
  return () => {
    const now = performance.now();
    for (const [socket, since] of openedAt) {
      if (now - since > (socket.bytesRead === 0 ? silentMs : headersTimeoutMs)) socket.destroy();
    }
  };
}
