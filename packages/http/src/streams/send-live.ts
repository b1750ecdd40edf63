import { rightsOf } from "@kb/auth";
import type { LiveStream } from "@kb/core";
import type { EdgeContext } from "../edge.ts";
import { eventStream, retryMs, streamHeaders } from "./event-stream.ts";
import type { OpenStreams } from "./open-streams.ts";

/** Streams of one user on one instance. */
const maxPerUser = 50;

/** Bytes that wait for a browser that does not read. It reconnects after that, and continues where it was. */
const maxWaitingBytes = 4 * 1024 * 1024;

/** Sends what others write in a document as server-sent events. The id of each is the last version that was sent. */
export function sendLive(context: EdgeContext, streams: OpenStreams, live: LiveStream, openedAt: Date): Response {
  if (context.req.raw.method === "HEAD") return context.newResponse(null, { headers: streamHeaders });
  const { actor, follow } = live;
  const endings: (() => void)[] = [];
  let ended = false;
  const out = eventStream({
    maxWaitingBytes,
    opening: `retry: ${retryMs}\n\n`,
    onEnd: () => {
      ended = true;
      for (const ending of endings) ending();
    },
  });
  let reached = (): number => 0;
  const send = (event: string, data: object): void => out.send({ id: String(reached()), event, data });
  const endWith = (event: string): void => {
    send(event, {});
    out.end();
  };
  const known = rightsOf(actor);
  // The user's groups decide what they may do here: the browser connects again as the user who they are now.
  const checkRights = (rights: string): void => {
    if (rights !== known) out.end();
  };
  const principal = `live:${actor.teamId}:${actor.userId}`;
  const replace = (): void => endWith("replaced");
  endings.push(streams.add({ actor, principal, openedAt, end: out.end, replace, checkRights }, maxPerUser));
  const following = follow({
    batch: (batch) => out.send({ id: String(batch.version), event: "batch", data: batch, isShared: true }),
    saved: (state) => send("saved", state),
    access: (access) => send("access", access),
    presence: (person) => send("presence", person),
    reset: () => endWith("reset"),
    gone: () => endWith("gone"),
  });
  reached = following.reached;
  if (ended) following.stop();
  else endings.push(following.stop);
  return context.newResponse(out.response.body, out.response);
}
