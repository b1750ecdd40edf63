import type { EventStream } from "@kb/http";
import { afterEvent, type Mark } from "../changes/mark.ts";
import { type Notice, ResourceFollower } from "../changes/resource-follower.ts";
import { start } from "./backplane.ts";
import type { Session, SessionContext } from "./context.ts";
import { changesStream, type EventId, writeEventId } from "./event-id.ts";
import { openTail, sendAll } from "./tail.ts";

/**
 * Opens the stream of a GET, for messages that belong to no request. Changes come from the team's change log, all other
 * messages from the session's log. An event's id holds the position in both, so that any instance can resume.
 */
export async function tailChanges(
  context: SessionContext,
  session: Session,
  from: EventId | null,
  primes: boolean,
): Promise<Response> {
  const { backplane, changes, service } = context;
  const { caller, id } = session;
  const generation = await backplane.tail(id, changesStream);
  let place = from?.place ?? (generation === 1 ? start : await endOf(context, session));
  let mark: Mark = from?.sequence ?? afterEvent(await changes.head(caller.actor.teamId));
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
  const follower = new ResourceFollower(service, {
    caller,
    mark,
    interest: subscriptionsOf(context, session),
    notify: (notice, at) => {
      mark = at;
      out.send({ id: here(), data: notificationOf(notice) });
    },
    refuse: out.end,
  });
  stopFollowing = await changes.follow(follower);
  if (ended) stopFollowing();
  return out.response;
}

/** A client that reconnects without a position starts with new messages. */
async function endOf({ backplane }: SessionContext, { id }: Session): Promise<string> {
  return (await backplane.read(id, changesStream, start)).at(-1)?.place ?? start;
}

/** Returns the subscriptions of the session; the last known ones while they cannot be read. */
function subscriptionsOf({ backplane }: SessionContext, session: Session) {
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
