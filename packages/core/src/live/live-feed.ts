import { readRightsInDocuments } from "@kb/auth";
import { type Database, sql } from "@kb/db";
import { Feed, type FeedOptions, type Handout } from "../feed.ts";
import { BatchReader } from "./batch-reader.ts";
import type { LiveFollower, LiveHead } from "./live-follower.ts";
import { liveChannel } from "./live-log.ts";
import { PeopleHere } from "./people-here.ts";
import { PresenceExchange, type ToldPresence } from "./presence-exchange.ts";
import type { DocumentKey } from "./unsaved-document.ts";

/** The interval of the poll, which finds every batch and every change of access. */
const pollMs = 250;

/** Moves in a document are shown together, after this time and so much more for each person in it. */
const showMs = 20;
const showMsPerPerson = 5;

/** Reads the heads of the logs that open streams follow: when a batch is announced, and four times a second. Shows who is there. */
export class LiveFeed {
  readonly #database: Database;
  readonly #feed: Feed<LiveFollower>;
  readonly #exchange: PresenceExchange;
  readonly #people: PeopleHere;
  readonly #showing = new Map<string, NodeJS.Timeout>();

  constructor(options: FeedOptions) {
    this.#database = options.database;
    this.#exchange = new PresenceExchange(this.#database, (documentId) => this.#showSoon(documentId));
    this.#people = new PeopleHere(this.#exchange);
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

  /** Shows a person, who may read the document, to all who follow it on any instance. Returns why it did not. */
  tell(told: ToldPresence): ReturnType<PresenceExchange["tell"]> {
    return this.#exchange.tell(told);
  }

  close(): void {
    this.#feed.close();
    this.#exchange.close();
    for (const timer of this.#showing.values()) clearTimeout(timer);
    this.#showing.clear();
  }

  #showSoon(documentId: string): void {
    if (this.#showing.has(documentId) || this.#feed.followersOf(documentId).length === 0) return;
    const delayMs = showMs + showMsPerPerson * this.#exchange.in(documentId).length;
    const timer = setTimeout(() => this.#show(documentId), delayMs);
    this.#showing.set(documentId, timer);
  }

  /** The rights of somebody who has just come are read first. */
  #show(documentId: string): void {
    this.#showing.delete(documentId);
    if (!this.#people.isComplete(documentId)) {
      this.#feed.announce(documentId);
      return;
    }
    const people = this.#people.in(documentId);
    for (const follower of this.#feed.followersOf(documentId)) follower.showPeople(people);
  }

  /** One statement for all heads, and one for everybody whose access may have changed: followers, and those they see. */
  async #read(followers: readonly LiveFollower[]): Promise<Handout<LiveFollower>> {
    const heads = await this.#readHeads(followers);
    const headOf = ({ key }: LiveFollower): LiveHead | undefined => heads.get(nameOf(key));
    this.#exchange.ask(new Set([...heads.values()].map(({ documentId }) => documentId)));
    const unchecked = followers.filter((follower) => follower.isUnchecked(headOf(follower)));
    const present = this.#people.unchecked(
      new Map([...heads.values()].map((head) => [head.documentId, head.sequence])),
    );
    const asked = [...unchecked.map(({ key }) => key), ...present];
    const rights = await readRightsInDocuments(this.#database, asked);
    const rightsOf = new Map(unchecked.map((follower, index) => [follower, rights[index] ?? null]));
    for (const [index, person] of present.entries())
      this.#people.note(person, rights[unchecked.length + index] ?? null);
    const batches = new BatchReader(this.#database);
    const handTo = async (follower: LiveFollower): Promise<void> => {
      await follower.receive(batches, headOf(follower), rightsOf.get(follower));
      // People move while batches are read: whoever was here before that may have left.
      follower.showPeople(this.#people.in(follower.key.documentId));
    };
    return { handTo };
  }

  async #readHeads(followers: readonly LiveFollower[]): Promise<ReadonlyMap<string, LiveHead>> {
    const keys = [...new Map(followers.map(({ key }) => [nameOf(key), key])).values()];
    const teamIds = keys.map(({ teamId }) => teamId);
    const documentIds = keys.map(({ documentId }) => documentId);
    const rows = await this.#database.acrossTeams.rows<LiveHead & DocumentKey>(sql`
      SELECT d."teamId", d.id AS "documentId", d.revision, d."updatedAt", l.lineage, l.version, l."savedVersion", l."oldestVersion",
        COALESCE(k.sequence, 0) AS sequence
      FROM unnest(${teamIds}::uuid[], ${documentIds}::uuid[]) AS f("teamId", "documentId")
      JOIN documents d ON d."teamId" = f."teamId" AND d.id = f."documentId"
      LEFT JOIN live_documents l ON l."teamId" = f."teamId" AND l."documentId" = f."documentId"
      LEFT JOIN team_clocks k ON k."teamId" = f."teamId"`);
    return new Map(rows.map((row) => [nameOf(row), row]));
  }
}

/** An id alone does not name a document: nothing keeps two teams from having the same one, such as after rows were copied. */
const nameOf = ({ teamId, documentId }: DocumentKey): string => `${teamId} ${documentId}`;
