import { describeError } from "@kb/http";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { type EventStream, eventStream } from "../streams/sse.ts";
import type { LoggedMessage, Signal } from "./backplane.ts";
import type { Session, SessionContext } from "./context.ts";

/** How often an open tail makes sure that its session lives, and keeps it alive. */
const touchMs = 60_000;

/** What a tail shows: the log of one stream, from a place on. */
export type Tailed = {
  readonly stream: string;
  /** From `Backplane.tail`. */
  readonly generation: number;
  /** The id that the client comes back with, if nothing is sent; null where its revision knows none. */
  readonly primed: string | null;
  /** Reads on and sends; called whenever there may be more, never twice at once. */
  readonly pump: (out: EventStream) => Promise<void>;
  /** Where not all that matters is signalled: how often to look by itself, in milliseconds. */
  readonly pollMs?: number;
  readonly onEnd?: () => void;
};

/** Opens a tail of a session's stream. It ends when there is a newer one of the same stream, on whatever instance. */
export function openTail(context: SessionContext, session: Session, tailed: Tailed): EventStream {
  const { backplane, signals, streams, logger, service } = context;
  const endings: (() => void)[] = [];
  const out = eventStream({
    primed: tailed.primed,
    onEnd: () => {
      for (const ending of endings) ending();
      tailed.onEnd?.();
    },
  });
  const pump = oneAtATime(async () => {
    try {
      await tailed.pump(out);
    } catch (error) {
      logger.debug({ cause: describeError(error) }, "a session's stream could not be read on");
    }
  });
  const touch = async (): Promise<void> => {
    if ((await backplane.load(session.id).catch(() => session.record)) === null) out.end();
  };
  const hear = (signal: Signal): void => {
    if (signal.kind === "missed") void touch().then(pump);
    else if (signal.kind === "closed") out.end();
    else if (signal.kind === "appended" && signal.stream === tailed.stream) pump();
    else if (signal.kind === "tailed" && signal.stream === tailed.stream && signal.generation > tailed.generation)
      out.end();
  };
  const { actor, principal } = session.caller;
  const touching = setInterval(() => void touch(), touchMs);
  const polling = tailed.pollMs === undefined ? undefined : setInterval(pump, tailed.pollMs);
  endings.push(
    signals.on(session.id, hear),
    () => clearInterval(touching),
    () => clearInterval(polling),
  );
  endings.push(streams.add({ actor, principal, openedAt: service.clock.now(), end: out.end }));
  pump();
  return out;
}

/** Sends what was logged; gives the messages. */
export function sendAll(
  out: EventStream,
  logged: readonly LoggedMessage[],
  idAt: (place: string) => string,
): readonly JSONRPCMessage[] {
  for (const { place, message } of logged) out.send(idAt(place), message);
  return logged.map(({ message }) => message);
}

/** Runs the work again after it ends, once, however often it was asked for meanwhile. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}
