import { type Database, sql } from "@kb/db";
import type { LiveFollower, LiveHead } from "./live-follower.ts";
import { liveChannel } from "./live-log.ts";

/** The interval of the poll, which finds every batch and every change of access. Notifications only make it run earlier. */
const pollMs = 250;

/** The shortest pause between two reads, in milliseconds: simultaneous batches are read together. */
const pauseMs = 10;

type FeedOptions = {
  readonly database: Database;
  /** Called with an error that made a read fail. The next read starts at the same versions, so that nothing is lost. */
  readonly onFailure?: (error: unknown) => void;
};

/**
 * Reads the heads of the logs that open streams follow, with one statement for all of them: when a batch is announced, and four
 * times a second, but only while a stream is open.
 */
export class LiveFeed {
  readonly #options: FeedOptions;
  readonly #followers = new Set<LiveFollower>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;
  #reading = false;
  #isAnnounced = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Feeds a follower until the returned function is called. */
  follow(follower: LiveFollower): () => void {
    this.#followers.add(follower);
    this.#stopListening ??= this.#options.database.listen(liveChannel, (documentId) => this.#announce(documentId));
    this.#schedule(0);
    return () => void this.#followers.delete(follower);
  }

  close(): void {
    this.#followers.clear();
    clearTimeout(this.#timer);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Schedules a read. A null id means that announcements may have been lost. */
  #announce(documentId: string | null): void {
    if (documentId !== null && ![...this.#followers].some(({ key }) => key.documentId === documentId)) return;
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
    try {
      await this.#feedAll();
    } catch (error) {
      this.#options.onFailure?.(error);
    } finally {
      this.#reading = false;
      this.#schedule(this.#isAnnounced ? pauseMs : pollMs);
    }
  }

  async #feedAll(): Promise<void> {
    const followers = [...this.#followers];
    const heads = await this.#readHeads(followers);
    const fed = await Promise.allSettled(
      followers.map((follower) => follower.receive(heads.get(follower.key.documentId))),
    );
    for (const outcome of fed) if (outcome.status === "rejected") this.#options.onFailure?.(outcome.reason);
  }

  async #readHeads(followers: readonly LiveFollower[]): Promise<ReadonlyMap<string, LiveHead>> {
    const keys = new Map(followers.map(({ key }) => [key.documentId, key.teamId]));
    const rows = await this.#options.database.acrossTeams.rows<LiveHead>(sql`
      SELECT d.id AS "documentId", d.revision, d."updatedAt", l.lineage, l.version, l."savedVersion", l."oldestVersion",
        COALESCE(k.sequence, 0) AS sequence
      FROM unnest(${[...keys.values()]}::uuid[], ${[...keys.keys()]}::uuid[]) AS f("teamId", "documentId")
      JOIN documents d ON d."teamId" = f."teamId" AND d.id = f."documentId"
      LEFT JOIN live_documents l ON l."teamId" = f."teamId" AND l."documentId" = f."documentId"
      LEFT JOIN team_clocks k ON k."teamId" = f."teamId"`);
    return new Map(rows.map((row) => [row.documentId, row]));
  }
}
