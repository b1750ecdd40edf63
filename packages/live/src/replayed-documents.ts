import type { LiveDocument } from "./live-document.ts";

/** A saved content, batches after it, and the document after them. */
export interface Replayed {
  readonly content: string;
  readonly batches: readonly string[];
  readonly document: LiveDocument;
}

/** Characters of the JSON text of a log. */
const maxCharacters = 200_000;
const maxDocuments = 32;
/**
 * Characters of all logs together: 32 of the largest logs that the event loop reads. Each thread that reads larger logs keeps as
 * much, which counts against the memory of its tasks.
 */
const maxCharactersTogether = 640_000;

/**
 * The documents that were replayed last, by their content. What is found is equal to what would be replayed, whatever happened in
 * between, because content and batches are compared as a whole.
 */
export class ReplayedDocuments {
  readonly #known = new Map<string, Replayed>();
  #characters = 0;

  /** Returns the document after the first of these batches, as many as are known. */
  find(content: string, batches: readonly string[]): Replayed | undefined {
    const known = this.#known.get(content);
    return known?.batches.every((batch, index) => batch === batches[index]) ? known : undefined;
  }

  /** Keeps a document, and forgets those that were not used for longest. */
  keep(replayed: Replayed): void {
    const characters = charactersOf(replayed);
    this.#forget(this.#known.get(replayed.content));
    if (characters > maxCharacters) return;
    this.#known.set(replayed.content, replayed);
    this.#characters += characters;
    for (const oldest of this.#known.values()) {
      if (this.#known.size <= maxDocuments && this.#characters <= maxCharactersTogether) return;
      this.#forget(oldest);
    }
  }

  #forget(replayed: Replayed | undefined): void {
    if (replayed === undefined) return;
    this.#known.delete(replayed.content);
    this.#characters -= charactersOf(replayed);
  }
}

const charactersOf = ({ content, batches }: Replayed): number =>
  batches.reduce((sum, batch) => sum + batch.length, content.length);
