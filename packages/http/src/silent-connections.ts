import type { Server } from "node:http";
import type { Socket } from "node:net";

/** After so long without a byte a connection is taken for one that was opened for later, as browsers do. */
const silentMs = 1_000;

/**
 * Knows the connections on which no request ever came: Node takes them for busy, and a server that stops would wait for
 * them to the last. Gives what ends those that have been silent for a second, and those whose headers are overdue: a server
 * that stops looks at `headersTimeout` no more.
 */
export function watchSilent(server: Server, headersTimeoutMs: number): () => void {
  const silent = new Map<Socket, number>();
  const forget = (socket: Socket): void => void silent.delete(socket);
  server.on("connection", (socket) => {
    silent.set(socket, performance.now());
    socket.once("close", () => forget(socket));
  });
  server.on("request", ({ socket }) => forget(socket));
  return () => {
    const now = performance.now();
    for (const [socket, since] of silent) {
      if (now - since > (socket.bytesRead === 0 ? silentMs : headersTimeoutMs)) socket.destroy();
    }
  };
}
