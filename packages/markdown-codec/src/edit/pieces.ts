import { textNode } from "../normal/nodes.ts";
import type { NodeJSON } from "../types.ts";
import { wordsOf } from "../words.ts";
import { shownAs } from "./plain-text.ts";

/** A part of a line that is compared as a whole: a word, or a node that is no text. */
export interface Piece {
  /** The compared text. */
  readonly text: string;
  readonly nodes: NodeJSON[];
}

/** The nodes of a line in pieces. A node that is no text is like no other, but for one that is equal. */
export function piecesOf(nodes: NodeJSON[]): readonly Piece[] {
  const cursor = new Cursor(nodes);
  return wordsOf(nodes.map(shownAs).join("")).map((word) => {
    const part = cursor.take(word.length);
    const isText = part.every((node) => node.type === "text" || node.type === "hardBreak");
    return { text: isText ? word : JSON.stringify(part), nodes: part };
  });
}

/** Takes nodes from a row of them by the length of their text. */
class Cursor {
  readonly #nodes: NodeJSON[];
  #index = 0;
  #offset = 0;

  constructor(nodes: NodeJSON[]) {
    this.#nodes = nodes;
  }

  take(length: number): NodeJSON[] {
    const part: NodeJSON[] = [];
    for (let left = length; left > 0; ) {
      const node = this.#nodes[this.#index];
      if (node === undefined) break;
      const text = shownAs(node);
      const end = Math.min(text.length, this.#offset + left);
      part.push(this.#offset === 0 && end === text.length ? node : textNode(text.slice(this.#offset, end), node.marks));
      left -= end - this.#offset;
      this.#offset = end;
      if (end === text.length) {
        this.#index++;
        this.#offset = 0;
      }
    }
    return part;
  }
}
