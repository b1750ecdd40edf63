import { startSharedWork } from "@kb/telemetry";
import { type Sql, sql } from "./sql.ts";

/** One notification. */
export type Announcement = { readonly channel: string; readonly payload: string };

/**
 * Sends notifications, outside of the transactions that cause them: PostgreSQL lets only one transaction with a notification
 * commit at a time, in all databases of the server. Those that arrive while a statement runs are sent together by the next.
 */
export class Announcer {
  readonly #execute: (statement: Sql) => Promise<unknown>;
  readonly #waiting = new Map<string, Announcement>();
  #sending: Promise<void> | undefined;

  constructor(execute: (statement: Sql) => Promise<unknown>) {
    this.#execute = execute;
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
