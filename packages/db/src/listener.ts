import { setTimeout as pause } from "node:timers/promises";
import { startSharedWork } from "@kb/telemetry";
import pg from "pg";
import { type PoolOptions, poolConfig, poolDefaults } from "./pool.ts";

/** Receives the payload of a notification, or null after the connection was lost: notifications may have been missed. */
export type OnNotification = (payload: string | null) => void;

const firstRetryMs = 100;
const lastRetryMs = 5_000;
/** Detects a connection that the network dropped silently. */
const checkEveryMs = 30_000;
const checkTimeoutMs = 5_000;

/**
 * The only connection of a process that LISTENs. It opens for the first subscriber, and again after an outage. Subscribers
 * poll as well: nothing arrives while the connection is away, or at the address of a pooler that shares connections.
 */
export class Listener {
  readonly #options: PoolOptions;
  readonly #subscribers = new Map<string, Set<OnNotification>>();
  readonly #closing = new AbortController();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Receives the notifications of a channel until the returned function is called. */
  listen(channel: string, onNotification: OnNotification): () => void {
    const others = this.#subscribers.get(channel);
    const subscribers = others ?? new Set<OnNotification>();
    this.#subscribers.set(channel, subscribers.add(onNotification));
    this.#running ??= startSharedWork(() => this.#keepListening());
    if (others === undefined && this.#client !== undefined) void listenTo(this.#client, channel).catch(() => {});
    return () => {
      subscribers.delete(onNotification);
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => {});
    await this.#running;
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#closing;
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      if (await this.#connectAndListen()) retryMs = firstRetryMs;
      await pause(retryMs, undefined, { signal, ref: false }).catch(() => {});
      retryMs = Math.min(lastRetryMs, retryMs * 2);
    }
  }

  /** Listens until the connection ends; returns whether one was opened. */
  async #connectAndListen(): Promise<boolean> {
    const { applicationName = poolDefaults.applicationName } = this.#options;
    const client = new pg.Client({ ...poolConfig(this.#options), application_name: `${applicationName} listen` });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    client.on("error", () => end());
    client.on("end", () => end());
    client.on("notification", ({ channel, payload }) => this.#notify(channel, payload ?? ""));
    try {
      await client.connect();
      this.#client = client;
      for (const channel of this.#subscribers.keys()) await listenTo(client, channel);
      for (const channel of this.#subscribers.keys()) this.#notify(channel, null);
      const stopChecking = check(client, end);
      if (this.#closing.signal.aborted) end();
      await ended;
      stopChecking();
      return true;
    } catch {
      return false;
    } finally {
      this.#client = undefined;
      await client.end().catch(() => {});
    }
  }

  #notify(channel: string, payload: string | null): void {
    for (const onNotification of [...(this.#subscribers.get(channel) ?? [])]) onNotification(payload);
  }
}

const listenTo = (client: pg.Client, channel: string): Promise<unknown> =>
  client.query(`LISTEN ${client.escapeIdentifier(channel)}`);

/** Calls `onSilence` when the server does not answer; returns a stop function. */
function check(client: pg.Client, onSilence: () => void): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    deadline = setTimeout(() => {
      onSilence();
      client.connection.stream.destroy();
    }, checkTimeoutMs);
    client.query("SELECT 1").then(
      () => clearTimeout(deadline),
      () => clearTimeout(deadline),
    );
  }, checkEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
}
