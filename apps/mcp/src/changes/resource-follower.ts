import { type ChangeFollower, type FeedEvent, findVisibleEvents, type Service } from "@kb/core";
import type { Caller } from "../caller.ts";
import { afterEvent, afterUpdate, type Mark, sequenceAt } from "./mark.ts";
import { findResourceUpdate, type ResourceUpdate } from "./resource-update.ts";

/** A message to an assistant about a change. */
export type Notice = { readonly kind: "updated"; readonly uri: string } | { readonly kind: "listChanged" };

/** The changes to which an assistant subscribed. */
export type Interest = { readonly uris: ReadonlySet<string>; readonly list: boolean };

/** An assistant's stream that follows changes. */
export type Subscriber = {
  readonly caller: Caller;
  /** The position from which it starts. */
  readonly mark: Mark;
  readonly interest: () => Promise<Interest>;
  readonly notify: (notice: Notice, mark: Mark) => void;
  /** Called once the credential is no longer valid. */
  readonly refuse: () => void;
};

/** Follows a team's changes for an assistant. Sends each notice once, in order, for resources the caller may read. */
export class ResourceFollower implements ChangeFollower {
  readonly teamId: string;
  readonly #service: Service;
  readonly #subscriber: Subscriber;
  #mark: Mark;

  constructor(service: Service, subscriber: Subscriber) {
    this.#service = service;
    this.#subscriber = subscriber;
    this.#mark = subscriber.mark;
    this.teamId = subscriber.caller.actor.teamId;
  }

  get position(): number {
    return sequenceAt(this.#mark);
  }

  async receive(events: readonly FeedEvent[]): Promise<void> {
    const { caller, refuse } = this.#subscriber;
    const interest = await this.#subscriber.interest();
    const updates = events.flatMap((event) => findResourceUpdate(event) ?? []);
    const wanted = updates.filter(({ uri, changesList }) => interest.uris.has(uri) || (interest.list && changesList));
    if (wanted.length > 0) {
      const actor = await caller.authenticateAgain();
      if (actor === null) return refuse();
      // Applies the current policy, because access may have been revoked since the event.
      const ids = wanted.map(({ event }) => event.id);
      const visible = await findVisibleEvents(this.#service.database, actor, ids);
      this.#notifyOf(
        interest,
        wanted.filter(({ event }) => visible.has(event.id)),
      );
    }
    const last = events.at(-1);
    if (last !== undefined) this.#mark = Math.max(this.#mark, afterEvent(last.sequence));
  }

  /** Announces every followed resource, because any of them may have changed in the gap. */
  async skipTo(position: number): Promise<void> {
    const { interest, notify } = this.#subscriber;
    const { uris, list } = await interest();
    this.#mark = afterEvent(position);
    for (const uri of uris) notify({ kind: "updated", uri }, this.#mark);
    if (list) notify({ kind: "listChanged" }, this.#mark);
  }

  /** Sends one notice for several changes of the list, because no client reads it in between. */
  #notifyOf({ uris, list }: Interest, updates: readonly ResourceUpdate[]): void {
    const { notify } = this.#subscriber;
    const lastOfList = list ? updates.findLast((update) => update.changesList) : undefined;
    for (const update of updates) {
      const { event, uri } = update;
      if (uris.has(uri) && this.#mark < afterUpdate(event)) notify({ kind: "updated", uri }, afterUpdate(event));
      if (update === lastOfList && this.#mark < afterEvent(event.sequence)) {
        notify({ kind: "listChanged" }, afterEvent(event.sequence));
      }
    }
  }
}
