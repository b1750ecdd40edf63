import type { Node } from "prosemirror-model";

/** A saved content, batches after it, and the document after them. */
export interface Replayed {
  readonly content: string;
  readonly batches: readonly string[];
  readonly doc: Node;
}

/** Larger logs are read in threads, each of which would keep a copy. */
const maxCharacters = 200_000;
const maxDocuments = 32;

/**
 * The documents that were replayed last, by their content. What is found is equal to what would be replayed, whatever happened in
 * between, because content and batches are compared as a whole.
 */
export class ReplayedDocuments {
  readonly #known = new Map<string, Replayed>();

  /** Returns the document after the first of these batches, as many as are known. */
  find(content: string, batches: readonly string[]): Replayed | undefined {
    const known = this.#known.get(content);
    return known?.batches.every((batch, index) => batch === batches[index]) ? known : undefined;
  }

  /** Keeps a document, and forgets the one that was not used for longest. */
  keep(replayed: Replayed): void {
    const { content, batches } = replayed;
    this.#known.delete(content);
    if (batches.reduce((sum, batch) => sum + batch.length, content.length) > maxCharacters) return;
    this.#known.set(content, replayed);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxDocuments && oldest !== undefined) this.#known.delete(oldest);
  }
}
