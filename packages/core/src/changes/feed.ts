import { type Database, sql } from "@kb/db";
import { changeChannel } from "./channel.ts";
import type { EventView } from "./present-event.ts";

/** An event of the change log as the feed reads it. */
export type FeedEvent = EventView & {
  readonly sequence: number;
  readonly documentId: string | null;
  readonly collectionId: string | null;
};

/** A reader that follows the changes of a team while a stream is open, each event once and in order. */
export type ChangeFollower = {
  readonly teamId: string;
  /** The last event that it has handled. The feed continues after it. */
  readonly position: number;
  /** Handles consecutive events and moves the position past them. */
  receive(events: readonly FeedEvent[]): Promise<void>;
  /** Moves to a position and skips the events before it, because there are too many. */
  skipTo(position: number): Promise<void>;
};

/** The interval of the poll, which finds every change. Notifications only make it run earlier. */
const pollMs = 1_000;

/** The shortest pause between two reads, in milliseconds: simultaneous changes are read together. */
const pauseMs = 10;

/** Maximum number of events per read. */
const maxEvents = 500;

/** Maximum number of events that a follower may be behind. Beyond it, the follower skips to the newest event. */
const maxBehind = 5_000;

type FeedOptions = {
  readonly database: Database;
  /** Called with an error that made a read fail. The next read starts at the same positions, so that nothing is lost. */
  readonly onFailure?: (error: unknown) => void;
};

/**
 * Reads the change log for all open streams of a process, with one statement for all of them. It reads when a change is
 * announced and every second, but only while a stream is open.
 */
export class ChangeFeed {
  readonly #options: FeedOptions;
  readonly #followers = new Set<ChangeFollower>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;
  #reading = false;
  #isAnnounced = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Returns the position after the newest event of a team. */
  async head(teamId: string): Promise<number> {
    const [clock] = await this.#options.database.rows<{ sequence: number }>(
      sql`SELECT sequence FROM team_clocks WHERE "teamId" = ${teamId}::uuid`,
    );
    return clock?.sequence ?? 0;
  }

  /** Returns whether all events after a position are still stored, and not too many to send. */
  async canResume(teamId: string, position: number): Promise<boolean> {
    const head = await this.head(teamId);
    if (position > head || head - position > maxBehind) return false;
    if (position === head) return true;
    const [next] = await this.#options.database.rows<{ sequence: number }>(sql`SELECT sequence FROM events
      WHERE "teamId" = ${teamId}::uuid AND sequence > ${position} ORDER BY sequence LIMIT 1`);
    return next?.sequence === position + 1;
  }

  /** Feeds a follower from its position on, until the returned function is called. */
  async follow(follower: ChangeFollower): Promise<() => void> {
    const head = await this.head(follower.teamId);
    if (head - follower.position > maxBehind) await follower.skipTo(head);
    this.#followers.add(follower);
    this.#stopListening ??= this.#options.database.listen(changeChannel, (teamId) => this.#announce(teamId));
    this.#schedule(0);
    return () => void this.#followers.delete(follower);
  }

  close(): void {
    this.#followers.clear();
    clearTimeout(this.#timer);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Schedules a read. A null team means that announcements may have been lost. */
  #announce(teamId: string | null): void {
    if (teamId !== null && ![...this.#followers].some((follower) => follower.teamId === teamId)) return;
    this.#isAnnounced = true;
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    if (this.#reading || this.#followers.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#readNext(), delayMs);
  }

  async #readNext(): Promise<void> {
    if (this.#followers.size === 0) return;
    this.#reading = true;
    this.#isAnnounced = false;
    let hasMore = false;
    try {
      hasMore = await this.#feedAll();
    } catch (error) {
      this.#options.onFailure?.(error);
    } finally {
      this.#reading = false;
      this.#schedule(hasMore ? 0 : this.#isAnnounced ? pauseMs : pollMs);
    }
  }

  /** Returns whether there is more to read at once. */
  async #feedAll(): Promise<boolean> {
    const followers = [...this.#followers];
    const byTeam = Map.groupBy(await this.#read(followers), ({ teamId }) => teamId);
    const fed = await Promise.allSettled(
      followers.map(async (follower) => {
        const events = byTeam.get(follower.teamId)?.filter(({ sequence }) => sequence > follower.position) ?? [];
        if (events.length > 0) await follower.receive(events);
      }),
    );
    for (const outcome of fed) if (outcome.status === "rejected") this.#options.onFailure?.(outcome.reason);
    const read = [...byTeam.values()].reduce((sum, events) => sum + events.length, 0);
    return read === maxEvents && fed.every(({ status }) => status === "fulfilled");
  }

  #read(followers: readonly ChangeFollower[]): Promise<FeedEvent[]> {
    const from = new Map<string, number>();
    for (const { teamId, position } of followers) {
      from.set(teamId, Math.min(from.get(teamId) ?? Number.MAX_SAFE_INTEGER, position));
    }
    return this.#options.database.acrossTeams.rows<FeedEvent>(sql`
      SELECT e."teamId", e.id, e.sequence, e.type, e.at, e.actor, e.data, e."documentId", e."collectionId"
      FROM unnest(${[...from.keys()]}::uuid[], ${[...from.values()]}::bigint[]) AS f("teamId", sequence)
      CROSS JOIN LATERAL (SELECT * FROM events o WHERE o."teamId" = f."teamId" AND o.sequence > f.sequence
        ORDER BY o.sequence LIMIT ${maxEvents}::int) e
      ORDER BY e."teamId", e.sequence LIMIT ${maxEvents}::int`);
  }
}
