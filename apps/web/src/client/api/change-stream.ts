/** An event of the change stream: what happened to which object. */
export type ChangeEvent = { readonly type: string; readonly data: { readonly id: string } };

/** The receiver of the changes of the service. */
export type ChangeHandlers = {
  readonly change: (event: ChangeEvent) => void;
  /** Called when anything may have changed: changes were missed, or access was granted or revoked. */
  readonly reset: () => void;
  /** Called when the stream opens and when it is lost. */
  readonly connected: (isConnected: boolean) => void;
  /** Called when the service has no stream for this session: it is asked for again later. */
  readonly refused: () => void;
};

/** Where a stream begins: the position and the scope of the page's data. */
export type StreamStart = { readonly lastEventId: string; readonly scope: string };

const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Follows `app.events` while the page is visible. A hidden page closes its stream, and continues after the last event that
 * it received once it is visible again.
 */
export class VisibleChangeStream {
  readonly #handlers: ChangeHandlers;
  #position: string;
  #scope: string;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = shortestPauseMs;

  constructor(start: StreamStart, handlers: ChangeHandlers) {
    this.#handlers = handlers;
    this.#position = start.lastEventId;
    this.#scope = start.scope;
  }

  /** Opens the stream, and from now on whenever the page becomes visible. */
  start(): void {
    document.addEventListener("visibilitychange", () => this.#adjust());
    addEventListener("online", () => this.#adjust());
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", () => this.#adjust());
    this.#adjust();
  }

  #adjust(): void {
    if (document.hidden) this.#close();
    else if (this.#source === undefined) this.#open();
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #open(): void {
    this.#close();
    const source = new EventSource(`/api/app.events?lastEventId=${encodeURIComponent(this.#position)}`);
    this.#source = source;
    source.addEventListener("ready", (event: MessageEvent<string>) => this.#connected(event, false));
    source.addEventListener("reset", (event: MessageEvent<string>) => this.#connected(event, true));
    source.addEventListener("change", (event: MessageEvent<string>) => {
      this.#position = event.lastEventId;
      this.#handlers.change(JSON.parse(event.data));
    });
    // Another window of this user needs the stream more: this one continues when it is looked at again.
    source.addEventListener("replaced", () => this.#close());
    source.addEventListener("ended", () => {
      this.#close();
      this.#handlers.connected(false);
      this.#handlers.refused();
      this.#reopenLater();
    });
    source.addEventListener("error", () => {
      this.#handlers.connected(false);
      // A connection that breaks is repeated by the browser itself; an answer without a stream is not.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#handlers.refused();
      this.#reopenLater();
    });
  }

  #connected(event: MessageEvent<string>, isReset: boolean): void {
    this.#pauseMs = shortestPauseMs;
    this.#position = event.lastEventId;
    const scope = scopeOf(event.data) ?? this.#scope;
    const hasOtherAccess = scope !== this.#scope;
    this.#scope = scope;
    this.#handlers.connected(true);
    if (isReset || hasOtherAccess) this.#handlers.reset();
  }

  #reopenLater(): void {
    this.#close();
    this.#timer = setTimeout(() => this.#open(), this.#pauseMs * (0.75 + Math.random() / 2));
    this.#pauseMs = Math.min(longestPauseMs, 2 * this.#pauseMs);
  }
}

/** Reads the scope of the first message. A message of another release has none. */
function scopeOf(data: string): string | undefined {
  const value: unknown = JSON.parse(data);
  return typeof value === "object" && value !== null && "scope" in value && typeof value.scope === "string"
    ? value.scope
    : undefined;
}
