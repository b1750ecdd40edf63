import { type Actor, activeUser } from "@kb/auth";
import type { Database } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { query } from "../operation.ts";
import { findDefinition } from "./event-types.ts";
import type { ChangeFeed, ChangeFollower, FeedEvent } from "./feed.ts";
import { type PresentedEvent, presentEvent } from "./present-event.ts";
import { readScopeDigest } from "./scope-digest.ts";
import { findVisibleEvents } from "./visible-events.ts";

/** The receiver of a stream of changes. */
export type ChangeReceiver = {
  /** Gets an event that the user may see. */
  readonly change: (event: PresentedEvent) => void;
  /** Called if changes were missed, so that the receiver must reload. The stream continues after `position`. */
  readonly reset: (position: number) => void;
  /** Called once the user may not follow changes any more. */
  readonly end: () => void;
};

/** The changes that a user may see, from a position on. */
export type ChangeStream = {
  readonly actor: Actor;
  readonly position: number;
  /** Whether it continues after the event that the caller named. Otherwise the caller may have missed changes. */
  readonly resumes: boolean;
  /** A digest of what the user may see now, as `app.boot` returns it. */
  readonly scope: string;
  /** The position up to which all changes were received. */
  readonly reached: () => number;
  /** Feeds the receiver until the returned function is called. */
  readonly follow: (receiver: ChangeReceiver) => Promise<() => void>;
};

export const followChanges = query({
  name: "app.events",
  summary: "Follow the changes that the user may see",
  description:
    "A stream of server-sent events, for the app in a browser. `ready` comes first, with the `scope` of `app.boot`; `change` has an event with the same fields as a webhook delivery, and only `id` in `data` where the document left the user's sight; `reset` says that changes were missed or access changed, so that everything shown has to be read again; `replaced` ends the oldest stream of a user who opens too many, and `ended` that of a session that is over. The `id` of each is the position: a client that reconnects with it as `Last-Event-ID` misses nothing.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({
    lastEventId: z
      .string()
      .regex(/^\d{1,15}$/, "Must be the id of an event of this stream")
      .optional(),
  }),
  output: z.custom<ChangeStream>(),
  async run({ actor, changes, database }, { lastEventId }): Promise<ChangeStream> {
    if (changes === undefined) throw new ServiceError("unavailable", "This process serves no streams.");
    const requested = lastEventId === undefined ? null : Number(lastEventId);
    const resumes = requested !== null && (await changes.canResume(actor.teamId, requested));
    const position = requested !== null && resumes ? requested : await changes.head(actor.teamId);
    const scope = await readScopeDigest(database, actor);
    return streamFrom(changes, database, actor, { position, resumes: requested === null || resumes, scope });
  },
});

type Start = Pick<ChangeStream, "position" | "resumes" | "scope">;

function streamFrom(changes: ChangeFeed, database: Database, actor: Actor, start: Start): ChangeStream {
  let follower: UserFollower | undefined;
  return {
    ...start,
    actor,
    reached: () => follower?.position ?? start.position,
    follow: (receiver) => {
      follower = new UserFollower(database, actor, start, receiver);
      return changes.follow(follower);
    },
  };
}

/** Follows the changes of a team for a user in a browser. */
class UserFollower implements ChangeFollower {
  readonly teamId: string;
  position: number;
  readonly #database: Database;
  readonly #userId: string;
  readonly #receiver: ChangeReceiver;
  #scope: string;

  constructor(database: Database, actor: Actor, { position, scope }: Start, receiver: ChangeReceiver) {
    this.teamId = actor.teamId;
    this.position = position;
    this.#scope = scope;
    this.#database = database;
    this.#userId = actor.userId;
    this.#receiver = receiver;
  }

  async receive(events: readonly FeedEvent[]): Promise<void> {
    const browserEvents = events.filter(({ type }) => findDefinition(type)?.browsers === true);
    if (browserEvents.length > 0) {
      // Applies the current policy, because access may have been revoked since the event.
      const actor = await activeUser(this.#database, this.teamId, this.#userId);
      if (actor === null) return this.#receiver.end();
      const ids = browserEvents.map(({ id }) => id);
      const visible = await findVisibleEvents(this.#database, actor, ids);
      for (const event of browserEvents) {
        const visibility = visible.get(event.id);
        this.position = event.sequence;
        if (visibility !== undefined) this.#receiver.change(presentEvent(event, visibility));
      }
      await this.#checkScope(actor, browserEvents, visible);
    }
    this.position = Math.max(this.position, events.at(-1)?.sequence ?? 0);
  }

  /** A user who lost access to a collection or tag by an event does not get the event, but a reset. */
  async #checkScope(actor: Actor, events: readonly FeedEvent[], visible: ReadonlyMap<string, unknown>): Promise<void> {
    const accessEvents = events.filter(({ type }) => /^(?:collection|tag)\./.test(type));
    if (accessEvents.length === 0) return;
    const scope = await readScopeDigest(this.#database, actor);
    if (scope === this.#scope) return;
    this.#scope = scope;
    if (accessEvents.some(({ id }) => !visible.has(id))) this.#receiver.reset(this.position);
  }

  skipTo(position: number): Promise<void> {
    this.position = position;
    this.#receiver.reset(position);
    return Promise.resolve();
  }
}
