import type { EdgeContext } from "./edge.ts";

/** The outcome of sending an answer. */
export type SendResult = {
  /** The bytes sent, including the head. */
  readonly bytes: number;
  /** The client disconnected before it had received everything. */
  readonly aborted: boolean;
};

/** An answer that is being sent. */
export type ResponseWatch = {
  /** Calls `listener` once the answer was sent or the connection closed; at once where there is no socket. */
  onSent(listener: (result: SendResult | undefined) => void): void;
};

/** Watches the socket of a request. Call it when the request begins. */
export function watchResponse(context: EdgeContext): ResponseWatch {
  const { incoming, outgoing } = context.env ?? {};
  if (incoming === undefined || outgoing === undefined) return { onSent: (listener) => listener(undefined) };
  // A connection serves many requests in turn.
  const { socket } = incoming;
  const before = socket.bytesWritten;
  const result = (): SendResult => ({ bytes: socket.bytesWritten - before, aborted: !outgoing.writableFinished });
  return {
    onSent: (listener) => {
      if (outgoing.destroyed) listener(result());
      else outgoing.once("close", () => listener(result()));
    },
  };
}
