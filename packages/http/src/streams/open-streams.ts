import type { Service } from "@kb/core";
import { describeError, type Lifecycle, type Logger } from "@kb/runtime";
import { endStale } from "./end-stale.ts";
import type { OpenStream } from "./open-stream.ts";

type OpenStreamsOptions = {
  readonly service: Pick<Service, "database" | "clock">;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
};

/** The time between two checks of the credentials behind open streams. */
const checkEveryMs = 500;

/** Streams of one principal on one instance. Above this the oldest one ends. */
const maxPerPrincipal = 100;

/**
 * The open streams of a process. It ends those whose credential no longer holds within a second, and all of them before
 * the process stops: a server would wait for them forever. Calls run on until they are answered.
 */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #open = new Set<OpenStream>();
  readonly #timer: NodeJS.Timeout;
  #checking = false;

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#check(), checkEveryMs);
    // A process that serves nothing else may end.
    this.#timer.unref();
    options.lifecycle.signal.addEventListener("abort", () => this.#endStreams(), { once: true });
  }

  /** Keeps a stream until the returned function is called. */
  add(stream: OpenStream, limit = maxPerPrincipal): () => void {
    this.#open.add(stream);
    if (this.#open.size > limit) this.#endSurplus(stream.principal, limit);
    // The request was accepted before the shutdown began. Its stream ends once the caller holds it.
    if (this.#options.lifecycle.signal.aborted) setImmediate(() => this.#endStreams());
    return () => void this.#open.delete(stream);
  }

  /** Ends every stream and stops the checks. */
  close(): void {
    clearInterval(this.#timer);
    for (const stream of [...this.#open]) stream.end();
  }

  #endStreams(): void {
    for (const stream of [...this.#open]) if (stream.untilAnswered !== true) stream.end();
  }

  #endSurplus(principal: string, limit: number): void {
    const own = [...this.#open].filter((stream) => stream.principal === principal);
    for (const stream of own.slice(0, Math.max(0, own.length - limit))) (stream.replace ?? stream.end)();
  }

  async #check(): Promise<void> {
    if (this.#checking || this.#open.size === 0) return;
    this.#checking = true;
    const { service, logger } = this.#options;
    try {
      await endStale(service, [...this.#open]);
    } catch (error) {
      // Without the database no stream carries anything either, and the next check comes soon.
      logger.debug({ cause: describeError(error) }, "open streams could not be checked");
    } finally {
      this.#checking = false;
    }
  }
}
