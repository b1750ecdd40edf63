import { characters } from "../syntax/markdown-it.ts";
import type { NodeJSON } from "../types.ts";

/** A definition of a link, as markdown-it keeps it. */
interface Definition {
  readonly href: string;
  readonly title: string;
}

/** The definitions of links that a text has, by label. */
export interface References {
  [label: string]: Definition;
}

/** Where the definition of a link stands. */
interface Place {
  readonly node: NodeJSON;
  readonly siblings: NodeJSON[];
}

const LABEL = /^\s*\[((?:\\[\s\S]|[^\\\]])*)\]:/;

/**
 * The definitions of links that a text has. One that a link uses is that link, and goes; the others stay as they are
 * written. Of several with one label the first is used.
 */
export class Definitions {
  readonly #places: Place[] = [];
  readonly #firsts = new Map<string, Place>();
  readonly #fillers = new WeakSet<NodeJSON>();

  /** An empty paragraph before the first block of an item. */
  filler(): NodeJSON {
    const node = { type: "paragraph" };
    this.#fillers.add(node);
    return node;
  }

  add(node: NodeJSON, siblings: NodeJSON[]): void {
    const place = { node, siblings };
    const [, label = ""] = LABEL.exec(String(node.attrs?.source)) ?? [];
    const normal = characters.normalizeReference(label);
    if (!this.#firsts.has(normal)) this.#firsts.set(normal, place);
  }

  /** From here on a definition that is read counts as used. */
  watch(references: References = {}): void {
    for (const [label, { href, title }] of Object.entries(references)) {
      const use = (): void => {
        const place = this.#firsts.get(label);
        this.#firsts.delete(label);
        if (place) this.#places.push(place);
      };
      references[label] = {
        title,
        get href(): string {
          use();
          return href;
        },
      };
    }
  }

  /** Takes the used definitions out of the document. */
  removeUsed(): void {
    const bySiblings = new Map<NodeJSON[], Set<NodeJSON>>();
    for (const { node, siblings } of this.#places) {
      const nodes = bySiblings.get(siblings) ?? new Set();
      bySiblings.set(siblings, nodes.add(node));
    }
    for (const [siblings, used] of bySiblings) {
      const rest = siblings.filter((node) => !used.has(node));
      const [first, second] = rest;
      if (first && this.#fillers.has(first) && second?.type === "paragraph") rest.shift();
      siblings.length = 0;
      for (const node of rest) siblings.push(node);
      if (siblings.length === 0) siblings.push({ type: "paragraph" });
    }
  }
}
