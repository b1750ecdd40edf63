import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that wait before the service stops reading from it. */
const maxWaiting = 32;

/** The requests of a connection that were sent before the answers to the earlier ones. */
type Connection = { readonly waiting: (() => void)[]; isPaused: boolean };

/**
 * Runs the requests of a connection one after the other. Node starts all that a client has sent, however many, although
 * their answers leave in order: 1,000 in one write would keep other clients waiting for seconds.
 */
export class RequestTurns {
  readonly #listener: RequestListener;
  readonly #connections = new WeakMap<Socket, Connection>();

  constructor(listener: RequestListener) {
    this.#listener = listener;
  }

  /** Whether a request of this connection has no complete answer yet. */
  isServing(socket: Socket): boolean {
    return this.#connections.has(socket);
  }

  /** Runs a request, after the earlier ones of its connection. */
  run(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const connection = this.#connections.get(socket);
    if (connection === undefined) {
      this.#connections.set(socket, { waiting: [], isPaused: false });
      this.#start(incoming, outgoing);
      return;
    }
    connection.waiting.push(() => this.#start(incoming, outgoing));
    holdBack(socket, connection);
  }

  #start(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    if (socket.destroyed) return;
    outgoing.once("close", () => this.#continue(socket));
    this.#listener(incoming, outgoing);
  }

  #continue(socket: Socket): void {
    const connection = this.#connections.get(socket);
    const next = socket.destroyed ? undefined : connection?.waiting.shift();
    if (next === undefined) this.#connections.delete(socket);
    // Other connections have their turn between two requests of this one.
    else setImmediate(next);
    if (connection !== undefined) holdBack(socket, connection);
  }
}

/**
 * Stops reading from a connection while many of its requests wait. Node reads again after each answer, so this is called
 * then, too.
 */
function holdBack(socket: Socket, connection: Connection): void {
  if (connection.waiting.length >= (connection.isPaused ? maxWaiting / 2 : maxWaiting)) {
    connection.isPaused = true;
    socket.pause();
  } else if (connection.isPaused) {
    connection.isPaused = false;
    socket.resume();
  }
}
