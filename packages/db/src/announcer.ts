import { setTimeout as pause } from "node:timers/promises";
import { startSharedWork } from "@kb/telemetry";
import { type Sql, sql } from "./sql.ts";

/** One notification. */
export type Announcement = { readonly channel: string; readonly payload: string };

/** The time between two statements: while many transactions commit, a statement for each would be a tenth of the cost of a batch of live editing. */
const defaultIntervalMs = 20;

/**
 * Sends notifications, outside of the transactions that cause them: PostgreSQL lets only one transaction with a notification
 * commit at a time, in all databases of the server. Those that arrive within 20 ms of a statement are sent together by the next.
 */
export class Announcer {
  readonly #execute: (statement: Sql) => Promise<unknown>;
  readonly #intervalMs: number;
  readonly #waiting = new Map<string, Announcement>();
  #sending: Promise<void> | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(execute: (statement: Sql) => Promise<unknown>, intervalMs = defaultIntervalMs) {
    this.#execute = execute;
    this.#intervalMs = intervalMs;
  }

  /** Sends a notification soon, equal ones once. It is lost if the process ends before, or if the server is away. */
  announce(announcement: Announcement): void {
    this.#waiting.set(JSON.stringify([announcement.channel, announcement.payload]), announcement);
    this.#sending ??= startSharedWork(() => this.#sendWaiting());
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const leftMs = this.#sentAt + this.#intervalMs - performance.now();
      if (leftMs > 0) await pause(leftMs);
      this.#sentAt = performance.now();
      const announcements = [...this.#waiting.values()];
      this.#waiting.clear();
      // Subscribers poll as well: a lost notification only delays them.
      await this.#execute(notify(announcements)).catch(() => {});
    }
    this.#sending = undefined;
  }
}

function notify(announcements: readonly Announcement[]): Sql {
  return sql`SELECT pg_notify(a.channel, a.payload)::text FROM unnest(${announcements.map(({ channel }) => channel)}::text[],
    ${announcements.map(({ payload }) => payload)}::text[]) AS a(channel, payload)`;
}
