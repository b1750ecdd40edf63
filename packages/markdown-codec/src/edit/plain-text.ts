import type { DocJSON, NodeJSON } from "../types.ts";
import type { Pattern } from "./matches.ts";

/** Replaces a node that is not text in the searched text: nobody types this character. */
export const ATOM = "\ufffc";

/** Returns the searched text of an inline node: a hard break is a line feed. */
export function shownAs(node: NodeJSON): string {
  if (node.type === "text") return node.text ?? "";
  return node.type === "hardBreak" ? "\n" : ATOM;
}

/** Where a text occurs: in a block, from a character of its text on. */
export interface PlainMatch {
  readonly path: readonly number[];
  readonly block: NodeJSON;
  readonly start: number;
}

const TEXT_BLOCKS = new Set(["paragraph", "heading", "codeBlock"]);
// Between blocks: no text holds it.
const BETWEEN = "\u0000";

/** The text of a document as a reader sees it, within one paragraph, heading, cell or code block: marks do not count. */
export class PlainText {
  readonly #blocks: { readonly path: readonly number[]; readonly block: NodeJSON; readonly at: number }[] = [];
  readonly #text: string;

  constructor(doc: DocJSON) {
    const texts: string[] = [];
    this.#collect(doc, [], texts, 0);
    this.#text = texts.join(BETWEEN);
  }

  #collect(node: NodeJSON, path: readonly number[], texts: string[], from: number): number {
    let at = from;
    node.content?.forEach((child, index) => {
      const here = [...path, index];
      if (TEXT_BLOCKS.has(child.type)) {
        const text = (child.content ?? []).map(shownAs).join("");
        this.#blocks.push({ path: here, block: child, at });
        texts.push(text);
        at += text.length + 1;
      } else at = this.#collect(child, here, texts, at);
    });
    return at;
  }

  /** Returns where the text occurs, at most `most` times. */
  find(text: string, pattern: Pattern, most: number): readonly PlainMatch[] {
    if (text.includes(BETWEEN) || text.includes(ATOM)) return [];
    return pattern.matches(this.#text, most).flatMap((index) => this.#matchAt(index));
  }

  // The last block that begins at this character or before.
  #matchAt(index: number): PlainMatch[] {
    let low = 0;
    let high = this.#blocks.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#blocks[middle]?.at ?? 0) <= index) low = middle;
      else high = middle;
    }
    const found = this.#blocks[low];
    return found ? [{ path: found.path, block: found.block, start: index - found.at }] : [];
  }
}
