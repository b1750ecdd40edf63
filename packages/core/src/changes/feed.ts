import { type Database, sql } from "@kb/db";
import { Feed, type FeedOptions, type Handout } from "../feed.ts";
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

/** Maximum number of events per read. */
const maxEvents = 500;

/** Maximum number of events that a follower may be behind. Beyond it, the follower skips to the newest event. */
const maxBehind = 5_000;

/** Reads the change log for all open streams of a process: when a change is announced, and every second. */
export class ChangeFeed {
  readonly #database: Database;
  readonly #feed: Feed<ChangeFollower>;

  constructor(options: FeedOptions) {
    this.#database = options.database;
    this.#feed = new Feed(options, {
      channel: changeChannel,
      topicOf: ({ teamId }) => teamId,
      pollMs,
      read: (followers) => this.#read(followers),
    });
  }

  /** Returns the position after the newest event of a team. */
  async head(teamId: string): Promise<number> {
    const [clock] = await this.#database.rows<{ sequence: number; at: Date }>(
      sql`SELECT sequence, at FROM team_clocks WHERE "teamId" = ${teamId}::uuid`,
    );
    if (clock === undefined) return 0;
    await this.#database.changeOnDisk(teamId, clock.at);
    return clock.sequence;
  }

  /** Returns whether all events after a position are still stored, and not too many to send. */
  async canResume(teamId: string, position: number): Promise<boolean> {
    const head = await this.head(teamId);
    if (position > head || head - position > maxBehind) return false;
    if (position === head) return true;
    const [next] = await this.#database.rows<{ sequence: number }>(sql`SELECT sequence FROM events
      WHERE "teamId" = ${teamId}::uuid AND sequence > ${position} ORDER BY sequence LIMIT 1`);
    return next?.sequence === position + 1;
  }

  /** Feeds a follower from its position on, until the returned function is called. */
  async follow(follower: ChangeFollower): Promise<() => void> {
    const head = await this.head(follower.teamId);
    if (head - follower.position > maxBehind) await follower.skipTo(head);
    return this.#feed.follow(follower);
  }

  close(): void {
    this.#feed.close();
  }

  async #read(followers: readonly ChangeFollower[]): Promise<Handout<ChangeFollower>> {
    const read = await this.#readEvents(followers);
    // Followers keep their positions through a crash of PostgreSQL, which must not give their numbers to other events.
    if (read.length > 0) await this.#database.readsOnDisk();
    const byTeam = Map.groupBy(read, ({ teamId }) => teamId);
    const handTo = async (follower: ChangeFollower): Promise<void> => {
      const events = byTeam.get(follower.teamId)?.filter(({ sequence }) => sequence > follower.position) ?? [];
      if (events.length > 0) await follower.receive(events);
    };
    return { handTo, hasMore: read.length === maxEvents };
  }

  #readEvents(followers: readonly ChangeFollower[]): Promise<FeedEvent[]> {
    const from = new Map<string, number>();
    for (const { teamId, position } of followers) {
      from.set(teamId, Math.min(from.get(teamId) ?? Number.MAX_SAFE_INTEGER, position));
    }
    return this.#database.acrossTeams.rows<FeedEvent>(sql`
      SELECT e."teamId", e.id, e.sequence, e.type, e.at, e.actor, e.data, e."documentId", e."collectionId"
      FROM unnest(${[...from.keys()]}::uuid[], ${[...from.values()]}::bigint[]) AS f("teamId", sequence)
      CROSS JOIN LATERAL (SELECT * FROM events o WHERE o."teamId" = f."teamId" AND o.sequence > f.sequence
        ORDER BY o.sequence LIMIT ${maxEvents}::int) e
      ORDER BY e."teamId", e.sequence LIMIT ${maxEvents}::int`);
  }
}
