import type { LogPosition, StreamReceiver, WireBatch } from "@kb/live/session";
import { connectionStore } from "../app/connection.ts";
import type { PeopleHere, PresenceEvent } from "./people-here.ts";

/** A hidden page gives up its connection after this time: a browser has few of them for one host. */
const hiddenMs = 20_000;
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;
/** The time without a stream after which the page says that what others write arrives late. */
const lateMs = 10_000;

/** Follows `live.stream` of one document while its page is visible. */
export class LiveStream {
  readonly #documentId: string;
  readonly #position: () => LogPosition;
  readonly #receiver: StreamReceiver;
  readonly #people: PeopleHere;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The tabs of this browser: one that is hidden closes its stream at once where another one needs a connection. */
  readonly #tabs = new BroadcastChannel("kb-live-stream");
  #lateTimer: ReturnType<typeof setTimeout> | undefined;
  #endWatching = (): void => {};
  #pauseMs = shortestPauseMs;

  constructor(documentId: string, people: PeopleHere, position: () => LogPosition, receiver: StreamReceiver) {
    this.#documentId = documentId;
    this.#people = people;
    this.#position = position;
    this.#receiver = receiver;
  }

  start(): void {
    document.addEventListener("visibilitychange", this.#adjust);
    addEventListener("online", this.#adjust);
    addEventListener("pagehide", this.#close);
    addEventListener("pageshow", this.#adjust);
    this.#tabs.addEventListener("message", this.#makeRoom);
    this.#endWatching = connectionStore.subscribe(this.#watch);
    this.#adjust();
  }

  end(): void {
    document.removeEventListener("visibilitychange", this.#adjust);
    removeEventListener("online", this.#adjust);
    removeEventListener("pagehide", this.#close);
    removeEventListener("pageshow", this.#adjust);
    this.#tabs.close();
    this.#endWatching();
    this.#close();
    this.#setLate(false);
  }

  readonly #adjust = (): void => {
    if (document.hidden) this.#after(hiddenMs, this.#close);
    else if (this.#source === undefined) this.#open();
    else clearTimeout(this.#timer);
    this.#watch();
  };

  readonly #makeRoom = (): void => {
    if (document.hidden) this.#close();
  };

  readonly #close = (): void => {
    clearTimeout(this.#timer);
    if (this.#source === undefined) return;
    this.#source.close();
    this.#source = undefined;
    this.#receiver.connected(false);
  };

  readonly #open = (): void => {
    clearTimeout(this.#timer);
    const { lineage, since } = this.#position();
    const query = new URLSearchParams({ documentId: this.#documentId, lineage, since: String(since) });
    this.#tabs.postMessage(null);
    const source = new EventSource(`/api/live.stream?${query}`);
    this.#source = source;
    const on = (name: string, use: (data: string) => void): void =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => use(data));
    source.addEventListener("open", () => {
      this.#pauseMs = shortestPauseMs;
      this.#watch();
      this.#people.renew();
      this.#receiver.connected(true);
    });
    on("batch", (data) => this.#receiver.batch(batchOf(data)));
    on("presence", (data) => this.#people.take(presenceOf(data)));
    on("access", (data) => this.#receiver.access(accessOf(data)));
    on("reset", () => this.#end("reopen"));
    on("gone", () => this.#end("gone"));
    // Other windows of this user have all the streams: this one asks, and tries again when it is looked at.
    on("replaced", () => {
      this.#close();
      this.#watch();
    });
    source.addEventListener("error", () => {
      this.#receiver.connected(false);
      this.#watch();
      // A connection that breaks is repeated by the browser itself; an answer without a stream is not.
      if (source.readyState === EventSource.CLOSED) this.#openLater();
    });
  };

  /** A page that is shown says after a while that it has no stream, where the service answers: else nothing arrives at all. */
  readonly #watch = (): void => {
    const isOpen = this.#source?.readyState === EventSource.OPEN;
    this.#setLate(!isOpen && !document.hidden && connectionStore.read().kind === "connected");
  };

  #setLate(isLate: boolean): void {
    if (isLate) {
      this.#lateTimer ??= setTimeout(() => {
        this.#people.isLate = true;
      }, lateMs);
      return;
    }
    clearTimeout(this.#lateTimer);
    this.#lateTimer = undefined;
    this.#people.isLate = false;
  }

  #end(kind: "reopen" | "gone"): void {
    this.#close();
    this.#receiver.ended(kind);
  }

  #openLater(): void {
    this.#close();
    // It is opened when the page is shown again.
    if (document.hidden) return;
    this.#after(this.#pauseMs * (0.75 + Math.random() / 2), this.#open);
    this.#pauseMs = Math.min(longestPauseMs, 2 * this.#pauseMs);
  }

  #after(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, ms);
  }
}

/** The service has written it against its schema. */
const batchOf = (data: string): WireBatch => JSON.parse(data) as WireBatch;
const presenceOf = (data: string): PresenceEvent => JSON.parse(data) as PresenceEvent;
const accessOf = (data: string): boolean => (JSON.parse(data) as { readonly canWrite: boolean }).canWrite;
