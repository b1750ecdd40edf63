import type { Actor } from "@kb/auth";

/** Something that stays open for a caller: a stream, or a call that is not answered yet. */
export type OpenStream = {
  readonly actor: Actor;
  readonly principal: string;
  readonly openedAt: Date;
  readonly end: () => void;
};

/** Streams that one key or grant may have open on one instance; the oldest ends. */
const streamsEach = 100;

/** What is open on this instance. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();

  /** Remembers it until the function that this gives is called. */
  add(stream: OpenStream): () => void {
    this.#open.add(stream);
    if (this.#open.size > streamsEach) this.#endSurplus(stream.principal);
    return () => void this.#open.delete(stream);
  }

  get all(): readonly OpenStream[] {
    return [...this.#open];
  }

  endAll(): void {
    for (const stream of this.#open) stream.end();
  }

  #endSurplus(principal: string): void {
    const own = this.all.filter((stream) => stream.principal === principal);
    for (const stream of own.slice(0, Math.max(0, own.length - streamsEach))) stream.end();
  }
}
