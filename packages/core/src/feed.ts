import type { Database } from "@kb/db";
import { startSharedWork } from "@kb/telemetry";

/** The shortest pause between two reads, in milliseconds: simultaneous changes are read together. */
const pauseMs = 10;

/** Options of a feed. */
export type FeedOptions = {
  readonly database: Database;
  /** Called with an error that made a read fail. The next read starts at the same positions, so that nothing is lost. */
  readonly onFailure?: (error: unknown) => void;
};

/** The reading of one feed. */
export type Reading<Follower> = {
  /** The channel of the notifications that make the next read run earlier. */
  readonly channel: string;
  /** Returns the payload of the notifications that concern a follower. */
  readonly topicOf: (follower: Follower) => string;
  /** The interval of the poll, which finds every change, whatever became of its notification. */
  readonly pollMs: number;
  /** Reads what is new for all followers, at most one call at a time. */
  readonly read: (followers: readonly Follower[]) => Promise<Handout<Follower>>;
};

/** What was read, to be handed to each follower. */
export type Handout<Follower> = {
  readonly handTo: (follower: Follower) => Promise<void>;
  /** Whether there is more to read at once, unless a follower fails. Default false. */
  readonly hasMore?: boolean;
};

/**
 * Feeds the followers of a process, which are open streams, with one read for all of them: when a change is announced, and at
 * the interval of the poll, but only while somebody follows. A follower that fails keeps no other waiting.
 */
export class Feed<Follower> {
  readonly #options: FeedOptions;
  readonly #reading: Reading<Follower>;
  readonly #followers = new Set<Follower>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;
  #isReading = false;
  #isAnnounced = false;

  constructor(options: FeedOptions, reading: Reading<Follower>) {
    this.#options = options;
    this.#reading = reading;
  }

  /** Feeds a follower until the returned function is called. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    this.#stopListening ??= this.#options.database.listen(this.#reading.channel, (topic) => this.announce(topic));
    this.#schedule(0);
    return () => void this.#followers.delete(follower);
  }

  /** Returns the followers whom a topic concerns. */
  followersOf(topic: string): readonly Follower[] {
    return [...this.#followers].filter((follower) => this.#reading.topicOf(follower) === topic);
  }

  close(): void {
    this.#followers.clear();
    clearTimeout(this.#timer);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Reads soon, if somebody follows the topic. A null topic means that announcements may have been lost. */
  announce(topic: string | null): void {
    if (topic !== null && this.followersOf(topic).length === 0) return;
    this.#isAnnounced = true;
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    if (this.#isReading || this.#followers.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void startSharedWork(() => this.#readNext()), delayMs);
  }

  async #readNext(): Promise<void> {
    if (this.#followers.size === 0) return;
    this.#isReading = true;
    this.#isAnnounced = false;
    let hasMore = false;
    try {
      hasMore = await this.#feedAll();
    } catch (error) {
      this.#options.onFailure?.(error);
    } finally {
      this.#isReading = false;
      this.#schedule(hasMore ? 0 : this.#isAnnounced ? pauseMs : this.#reading.pollMs);
    }
  }

  /** Returns whether there is more to read at once. */
  async #feedAll(): Promise<boolean> {
    const followers = [...this.#followers];
    const { handTo, hasMore = false } = await this.#reading.read(followers);
    const fed = await Promise.allSettled(followers.map((follower) => handTo(follower)));
    for (const outcome of fed) if (outcome.status === "rejected") this.#options.onFailure?.(outcome.reason);
    return hasMore && fed.every(({ status }) => status === "fulfilled");
  }
}
