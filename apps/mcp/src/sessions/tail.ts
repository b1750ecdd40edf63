import { type EventStream, eventStream, retryMs } from "@kb/http";
import { describeError } from "@kb/runtime";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { LoggedMessage, Signal } from "./backplane.ts";
import type { Session, SessionContext } from "./context.ts";

/** The interval at which an open tail checks that its session exists. The check also renews the session. */
const touchMs = 60_000;

/** Maximum number of bytes that wait for a slow client. */
const maxWaitingBytes = 4 * 1024 * 1024;

/** A tail of one stream's log, from a position on. */
export type TailOptions = {
  readonly stream: string;
  /** From `Backplane.tail`. */
  readonly generation: number;
  /**
   * The id from which the client resumes before it received a message. Null for clients of revisions that do not accept
   * an event without data. They receive a comment instead.
   */
  readonly primed: string | null;
  /** Reads and sends new messages. Called whenever there may be some, never concurrently. */
  readonly pump: (out: EventStream) => Promise<void>;
  /** The time between two reads without a signal, in milliseconds. */
  readonly pollMs?: number;
  readonly onEnd?: () => void;
};

/** Opens a tail of a session's stream. It ends when a newer tail of the same stream opens, on any instance. */
export function openTail(context: SessionContext, session: Session, tail: TailOptions): EventStream {
  const { backplane, signals, streams, logger, service } = context;
  const cleanups: (() => void)[] = [];
  const out = eventStream({
    maxWaitingBytes,
    opening: tail.primed === null ? ": open\n\n" : `id: ${tail.primed}\nretry: ${retryMs}\ndata: \n\n`,
    onEnd: () => {
      for (const cleanup of cleanups) cleanup();
      tail.onEnd?.();
    },
  });
  const pump = oneAtATime(async () => {
    try {
      await tail.pump(out);
    } catch (error) {
      logger.debug({ cause: describeError(error) }, "a session's stream could not be read on");
    }
  });
  const touch = async (): Promise<void> => {
    if ((await backplane.load(session.id).catch(() => session.record)) === null) out.end();
  };
  const onSignal = (signal: Signal): void => {
    if (signal.kind === "missed") void touch().then(pump);
    else if (signal.kind === "closed") out.end();
    else if (signal.kind === "appended" && signal.stream === tail.stream) pump();
    else if (signal.kind === "tailed" && signal.stream === tail.stream && signal.generation > tail.generation)
      out.end();
  };
  const { actor, principal } = session.caller;
  const touching = setInterval(() => void touch(), touchMs);
  const polling = tail.pollMs === undefined ? undefined : setInterval(pump, tail.pollMs);
  cleanups.push(
    signals.on(session.id, onSignal),
    () => clearInterval(touching),
    () => clearInterval(polling),
  );
  cleanups.push(streams.add({ actor, principal, openedAt: service.clock.now(), end: out.end }));
  pump();
  return out;
}

/** Sends logged messages and returns them. */
export function sendAll(
  out: EventStream,
  logged: readonly LoggedMessage[],
  idAt: (place: string) => string,
): readonly JSONRPCMessage[] {
  for (const { place, message } of logged) out.send({ id: idAt(place), data: message });
  return logged.map(({ message }) => message);
}

/** Returns a function that starts the work, or runs it once more after the current run ends. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let repeat = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      repeat = false;
      await work();
    } while (repeat);
    running = false;
  };
  return () => {
    if (running) repeat = true;
    else void run();
  };
}
