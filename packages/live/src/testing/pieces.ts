import type { Node } from "prosemirror-model";

// Private-use characters: none is part of a document before a typist writes it, and each is written once.
const FIRST = 0xe000;
const LAST = 0xf8ff;
const ANY = /[\uE000-\uF8FF]/gu;

/** Numbers the pieces of text that the typists of a run write, and knows who removed one on purpose. */
export class Pieces {
  readonly removed = new Set<string>();
  /** Pieces that only a page had which crashed: they may be lost. */
  readonly unkept = new Set<string>();
  readonly #written: string[] = [];

  get written(): readonly string[] {
    return this.#written;
  }

  /** A piece of one character that no document contains yet. */
  write(): string {
    const piece = String.fromCharCode(FIRST + this.#written.length);
    if (FIRST + this.#written.length > LAST) throw new RangeError("A run writes at most 6,400 pieces");
    this.#written.push(piece);
    return piece;
  }

  /** Notes what a page that crashed had not sent, and its device had no room for. */
  noteUnkept(unsent: string, kept: string): void {
    const known = piecesOf(kept);
    for (const piece of piecesOf(unsent)) if (!known.has(piece)) this.unkept.add(piece);
  }

  /** Notes what the author of a change removed on purpose. */
  noteChange(before: Node, after: Node): void {
    const left = piecesOf(after.textContent);
    for (const piece of piecesOf(before.textContent)) if (!left.has(piece)) this.removed.add(piece);
  }
}

/** The pieces in a text. */
export function piecesOf(text: string): ReadonlySet<string> {
  return new Set(text.match(ANY) ?? []);
}
