import type { EdgeContext } from "./edge.ts";

/** How the sending of an answer ended. */
export type Sent = {
  /** What went out for it, its head too. */
  readonly bytes: number;
  /** The client left before it had everything. */
  readonly aborted: boolean;
};

/** An answer on its way. */
export type Sending = {
  /** Has `tell` called once when it has left, or cannot any more; at once where there is no socket. */
  whenSent(tell: (sent: Sent | undefined) => void): void;
};

/** Watches the socket of a request from its beginning. */
export function watchSending(context: EdgeContext): Sending {
  const { incoming, outgoing } = context.env ?? {};
  if (incoming === undefined || outgoing === undefined) return { whenSent: (tell) => tell(undefined) };
  // A connection serves many requests, one after the other.
  const { socket } = incoming;
  const before = socket.bytesWritten;
  const sent = (): Sent => ({ bytes: socket.bytesWritten - before, aborted: !outgoing.writableFinished });
  return {
    whenSent: (tell) => {
      if (outgoing.destroyed) tell(sent());
      else outgoing.once("close", () => tell(sent()));
    },
  };
}
