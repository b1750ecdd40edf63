import { rightsOf } from "@kb/auth";
import type { ChangeStream } from "@kb/core";
import type { EdgeContext } from "../edge.ts";
import { eventStream, retryMs, streamHeaders } from "./event-stream.ts";
import type { OpenStreams } from "./open-streams.ts";

/** Streams of one user on one instance. A browser opens one, whatever the number of its tabs. */
const maxPerUser = 20;

/** Bytes that wait for a browser that does not read. It reconnects after that, and continues where it was. */
const maxWaitingBytes = 256 * 1024;

/** Sends the changes that a user may see as server-sent events. */
export async function sendChanges(
  context: EdgeContext,
  streams: OpenStreams,
  changes: ChangeStream,
  openedAt: Date,
): Promise<Response> {
  if (context.req.raw.method === "HEAD") return context.newResponse(null, { headers: streamHeaders });
  const { actor, position, resumes, scope } = changes;
  const endings: (() => void)[] = [];
  let ended = false;
  const out = eventStream({
    maxWaitingBytes,
    opening: `retry: ${retryMs}\nevent: ${resumes ? "ready" : "reset"}\nid: ${position}\ndata: ${JSON.stringify({ scope })}\n\n`,
    // Moves a quiet client on, so that it does not read the events again that it may not see.
    heartbeat: () => `: alive\nid: ${changes.reached()}\n\n`,
    onEnd: () => {
      ended = true;
      for (const ending of endings) ending();
    },
  });
  const endWith = (event: string): void => {
    out.send({ id: String(changes.reached()), event, data: {} });
    out.end();
  };
  const replace = (): void => endWith("replaced");
  // The browser need not connect again to learn that its session is over.
  const expire = (): void => endWith("ended");
  let known = rightsOf(actor);
  // Everything that the user sees may have changed with their groups.
  const checkRights = (rights: string): void => {
    if (rights === known) return;
    known = rights;
    out.send({ id: String(changes.reached()), event: "reset", data: {} });
  };
  const principal = `user:${actor.teamId}:${actor.userId}`;
  endings.push(streams.add({ actor, principal, openedAt, end: out.end, replace, expire, checkRights }, maxPerUser));
  const stop = await changes.follow({
    change: (event) => out.send({ id: String(event.sequence), event: "change", data: event }),
    reset: (reached) => out.send({ id: String(reached), event: "reset", data: {} }),
    end: expire,
  });
  if (ended) stop();
  else endings.push(stop);
  return context.newResponse(out.response.body, out.response);
}
