import { readRightsInDocuments } from "@kb/auth";
import { type Database, sql } from "@kb/db";
import { Feed, type FeedOptions, type Handout } from "../feed.ts";
import type { LiveFollower, LiveHead } from "./live-follower.ts";
import { liveChannel } from "./live-log.ts";

/** The interval of the poll, which finds every batch and every change of access. */
const pollMs = 250;

/** Reads the heads of the logs that open streams follow: when a batch is announced, and four times a second. */
export class LiveFeed {
  readonly #database: Database;
  readonly #feed: Feed<LiveFollower>;

  constructor(options: FeedOptions) {
    this.#database = options.database;
    this.#feed = new Feed(options, {
      channel: liveChannel,
      topicOf: ({ key }) => key.documentId,
      pollMs,
      read: (followers) => this.#read(followers),
    });
  }

  /** Feeds a follower until the returned function is called. */
  follow(follower: LiveFollower): () => void {
    return this.#feed.follow(follower);
  }

  close(): void {
    this.#feed.close();
  }

  /** One statement for all heads, and one for all followers whose access may have changed. */
  async #read(followers: readonly LiveFollower[]): Promise<Handout<LiveFollower>> {
    const heads = await this.#readHeads(followers);
    const headOf = ({ key }: LiveFollower): LiveHead | undefined => heads.get(key.documentId);
    const unchecked = followers.filter((follower) => follower.isUnchecked(headOf(follower)));
    const rights = await readRightsInDocuments(
      this.#database,
      unchecked.map(({ key }) => key),
    );
    const rightsOf = new Map(unchecked.map((follower, index) => [follower, rights[index] ?? null]));
    return { handTo: (follower) => follower.receive(headOf(follower), rightsOf.get(follower)) };
  }

  async #readHeads(followers: readonly LiveFollower[]): Promise<ReadonlyMap<string, LiveHead>> {
    const keys = new Map(followers.map(({ key }) => [key.documentId, key.teamId]));
    const rows = await this.#database.acrossTeams.rows<LiveHead>(sql`
      SELECT d.id AS "documentId", d.revision, d."updatedAt", l.lineage, l.version, l."savedVersion", l."oldestVersion",
        COALESCE(k.sequence, 0) AS sequence
      FROM unnest(${[...keys.values()]}::uuid[], ${[...keys.keys()]}::uuid[]) AS f("teamId", "documentId")
      JOIN documents d ON d."teamId" = f."teamId" AND d.id = f."documentId"
      LEFT JOIN live_documents l ON l."teamId" = f."teamId" AND l."documentId" = f."documentId"
      LEFT JOIN team_clocks k ON k."teamId" = f."teamId"`);
    return new Map(rows.map((row) => [row.documentId, row]));
  }
}
