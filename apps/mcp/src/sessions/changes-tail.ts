import type { Mark } from "../changes/change.ts";
import type { Notice } from "../changes/follower.ts";
import type { EventStream } from "../streams/sse.ts";
import { start } from "./backplane.ts";
import type { Session, SessionContext } from "./context.ts";
import { changesStream, type EventId, writeEventId } from "./event-id.ts";
import { openTail, sendAll } from "./tail.ts";

/**
 * The stream of GET: what no request asked for. Changes come from the team's outbox, everything else from the session's log;
 * an event's id holds the place in both, so that any instance goes on where another ended.
 */
export async function tailChanges(
  context: SessionContext,
  session: Session,
  from: EventId | null,
  primes: boolean,
): Promise<Response> {
  const { backplane, feed } = context;
  const { caller, id } = session;
  const generation = await backplane.tail(id, changesStream);
  let place = from?.place ?? (generation === 1 ? start : await endOf(context, session));
  let mark: Mark = from?.sequence ?? (await feed.markOf(caller.actor.teamId));
  const here = (): string => writeEventId({ stream: changesStream, place, sequence: mark });
  let stopFollowing: (() => void) | undefined;
  let ended = false;
  const out: EventStream = openTail(context, session, {
    stream: changesStream,
    generation,
    primed: primes ? here() : null,
    pump: async (open) => {
      sendAll(open, await backplane.read(id, changesStream, place), (next) => {
        place = next;
        return here();
      });
    },
    onEnd: () => {
      ended = true;
      stopFollowing?.();
    },
  });
  stopFollowing = await feed.follow({
    caller,
    mark,
    interest: followed(context, session),
    tell: (notice, at) => {
      mark = at;
      out.send(here(), notificationOf(notice));
    },
    refused: out.end,
  });
  if (ended) stopFollowing();
  return out.response;
}

/** A client that comes again without saying where it was begins with what is new. */
async function endOf({ backplane }: SessionContext, { id }: Session): Promise<string> {
  return (await backplane.read(id, changesStream, start)).at(-1)?.place ?? start;
}

/** What the session has subscribed to, as it was last known where it cannot be asked. */
function followed({ backplane }: SessionContext, session: Session) {
  let uris: ReadonlySet<string> = new Set();
  return async () => {
    uris = await backplane.subscriptions(session.id).catch(() => uris);
    return { uris, list: true };
  };
}

function notificationOf(notice: Notice) {
  return notice.kind === "updated"
    ? { jsonrpc: "2.0" as const, method: "notifications/resources/updated", params: { uri: notice.uri } }
    : { jsonrpc: "2.0" as const, method: "notifications/resources/list_changed" };
}
