import type { Node } from "prosemirror-model";
import { countWords } from "../reading/count-words.ts";

/** A heading of a document: where it begins, and its text. */
export type Heading = { readonly position: number; readonly level: number; readonly text: string };

/** The headings of a document and its length. */
type DocumentFacts = {
  readonly headings: readonly Heading[];
  readonly words: number;
  readonly characters: number;
};

/** The facts that an outline shows. `current` is the heading above the caret; -1 before the first. */
export type ShownFacts = DocumentFacts & { readonly current: number };

/** The most headings that an outline lists. */
const mostHeadings = 200;

/** Counts a document. A block is counted once: what is written changes one block, and the others are known. */
export class DocumentCounter {
  readonly #known = new WeakMap<Node, DocumentFacts>();

  /** Returns the facts of a document; null where `isOver` ends the work before, which the next call goes on with. */
  count(doc: Node, isOver: () => boolean = () => false): DocumentFacts | null {
    const headings: Heading[] = [];
    let words = 0;
    let characters = 0;
    let position = 0;
    for (const block of doc.children) {
      const known = this.#known.get(block);
      const facts = known ?? factsOf(block);
      if (known === undefined) this.#known.set(block, facts);
      for (const heading of facts.headings.slice(0, mostHeadings - headings.length)) {
        headings.push({ ...heading, position: position + heading.position });
      }
      words += facts.words;
      characters += facts.characters;
      position += block.nodeSize;
      // Only counting takes time.
      if (known === undefined && isOver() && position < doc.content.size) return null;
    }
    return { headings, words, characters };
  }
}

/** Returns the new facts, with the headings that are shown already where they read the same: only their places have changed. */
export function renewed(known: ShownFacts | null, next: ShownFacts): ShownFacts {
  if (known === null || !isAlike(known.headings, next.headings)) return next;
  const { words, characters, current } = next;
  const isKnown = known.words === words && known.characters === characters && known.current === current;
  return isKnown ? known : { ...next, headings: known.headings };
}

const isAlike = (known: readonly Heading[], next: readonly Heading[]): boolean =>
  known.length === next.length &&
  known.every(({ level, text }, index) => level === next[index]?.level && text === next[index]?.text);

/** Line breaks, and the first halves of characters that are two units long. */
const uncounted = /\n|[\ud800-\udbff](?=[\udc00-\udfff])/g;

function factsOf(block: Node): DocumentFacts {
  const headings: Heading[] = [];
  let words = 0;
  let characters = 0;
  const visit = (node: Node, position: number): boolean => {
    if (!node.isTextblock) return true;
    // A picture or a break stands between words.
    const text = node.textBetween(0, node.content.size, null, (leaf) => leafText(leaf));
    words += countWords(text);
    characters += text.length - (text.match(uncounted)?.length ?? 0);
    if (node.type.name === "heading") headings.push({ position, level: Number(node.attrs.level), text });
    return false;
  };
  if (visit(block, 0)) block.descendants((node, position) => visit(node, position + 1));
  return { headings, words, characters };
}

const leafText = ({ type, attrs }: Node): string => (type.name === "mention" ? String(attrs.label) : "\n");
