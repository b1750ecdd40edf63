import type { Actor } from "@kb/auth";
import { audienceOf, type Service } from "@kb/core";
import type { Caller } from "../caller.ts";
import { afterEvent, afterUpdate, type Change, changeOf, type Mark, type TeamEvent } from "./change.ts";

/** What is told of a change. */
export type Notice = { readonly kind: "updated"; readonly uri: string } | { readonly kind: "listChanged" };

/** What a follower wants to hear of. */
export type Interest = { readonly uris: ReadonlySet<string>; readonly list: boolean };

/** Somebody who is told of the changes that they may see, each once and in order. */
export type Follower = {
  readonly caller: Caller;
  /** What was told so far; moved on by the feed. */
  mark: Mark;
  interest(): Promise<Interest>;
  tell(notice: Notice, mark: Mark): void;
  /** The credential is good no more. */
  refused(): void;
};

/** Tells a follower of a run of its team's events. */
export async function tellOf(service: Service, follower: Follower, events: readonly TeamEvent[]): Promise<void> {
  const { uris, list } = await follower.interest();
  const changes = events.flatMap((event) => changeOf(event) ?? []);
  const wanted = changes.filter((change) => uris.has(change.uri) || (list && change.changesList));
  if (wanted.length > 0) {
    const actor = await follower.caller.again();
    if (actor === null) return follower.refused();
    tellAll(follower, { uris, list }, await visibleTo(service, actor, wanted));
  }
  const last = events.at(-1);
  if (last !== undefined) follower.mark = Math.max(follower.mark, afterEvent(last.sequence));
}

/** By the one policy, as it is now: access that was taken away since is not used any more. */
async function visibleTo(service: Service, actor: Actor, changes: readonly Change[]): Promise<readonly Change[]> {
  const ids = changes.map(({ event }) => event.id);
  const audience = await audienceOf(service.database, actor, [], ids);
  return changes.filter(({ event }) => audience.has(event.id));
}

/** A list that changed ten times is told once: nobody reads it in between. */
function tellAll(follower: Follower, { uris, list }: Interest, changes: readonly Change[]): void {
  const lastOfList = list ? changes.findLast((change) => change.changesList) : undefined;
  for (const change of changes) {
    const { event, uri } = change;
    if (uris.has(uri) && follower.mark < afterUpdate(event)) {
      follower.tell({ kind: "updated", uri }, afterUpdate(event));
    }
    if (change === lastOfList && follower.mark < afterEvent(event.sequence)) {
      follower.tell({ kind: "listChanged" }, afterEvent(event.sequence));
    }
  }
}
