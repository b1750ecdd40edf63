import { highlightOf } from "../reading/highlight.ts";
import type { ColoredPart } from "../reading/tokens.ts";
import { textChange } from "./text-change.ts";

type Shown = ColoredPart & { readonly range: Range };

/** The colors of one block of code: ranges over its text, so that no element is added where somebody writes. */
export class CodeRanges {
  readonly #element: Node;
  #text = "";
  #shown: readonly Shown[] = [];

  constructor(element: Node) {
    this.#element = element;
  }

  /** The length of the text that has colors. */
  get length(): number {
    return this.#shown.length === 0 ? 0 : this.#text.length;
  }

  /** Shows the parts of a text, in their order. Ranges stay where nothing differs: each that changes is drawn again. */
  paint(text: string, parts: readonly ColoredPart[]): void {
    const before = this.#shown;
    const isSame = (one: ColoredPart | undefined, other: ColoredPart | undefined): boolean =>
      one?.group === other?.group && one?.from === other?.from && one?.to === other?.to;
    const shorter = Math.min(before.length, parts.length);
    let same = 0;
    while (same < shorter && isSame(before[same], parts[same])) same++;
    let sameEnd = 0;
    while (sameEnd < shorter - same && isSame(before.at(-1 - sameEnd), parts.at(-1 - sameEnd))) sameEnd++;
    const end = before.length - sameEnd;
    for (const { group, range } of before.slice(same, end)) highlightOf(group).delete(range);
    const added = parts.slice(same, parts.length - sameEnd).map((part) => ({ ...part, range: document.createRange() }));
    this.#text = text;
    this.#shown = [...before.slice(0, same), ...added, ...before.slice(end)];
    this.#place();
    for (const { group, range } of added) highlightOf(group).add(range);
  }

  /** Moves the colors along with a change of the text, until what it says now is known. */
  follow(text: string): void {
    if (this.#shown.length === 0) return;
    const { start, end, inserted } = textChange(this.#text, text);
    const by = start + inserted - end;
    this.#text = text;
    this.#shown = this.#shown.map((part) => {
      // Text that is written at an edge has no color yet.
      const from = part.from >= end ? part.from + by : Math.min(part.from, start + inserted);
      return { ...part, from, to: part.to <= start ? part.to : Math.max(part.to + by, from) };
    });
    this.#place();
  }

  clear(): void {
    for (const { group, range } of this.#shown) highlightOf(group).delete(range);
    this.#shown = [];
  }

  /** Puts the ranges where their parts are. Most are there: the browser moves them along with what is typed. */
  #place(): void {
    const texts = new TextPlaces(this.#element);
    for (const { range, from, to } of this.#shown) {
      const start = texts.at(from);
      if (range.startContainer !== start.node || range.startOffset !== start.offset) {
        range.setStart(start.node, start.offset);
      }
      const end = texts.at(to);
      if (range.endContainer !== end.node || range.endOffset !== end.offset) range.setEnd(end.node, end.offset);
    }
  }
}

type Place = { readonly node: Node; readonly offset: number };

/** Finds places in the text of an element, which may be in several nodes, by offsets that do not decrease. */
class TextPlaces {
  readonly #element: Node;
  readonly #walker: TreeWalker;
  #start = 0;
  #length: number;

  constructor(element: Node) {
    this.#element = element;
    this.#walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    this.#length = this.#next();
  }

  at(offset: number): Place {
    while (offset > this.#start + this.#length) {
      const start = this.#start + this.#length;
      const length = this.#next();
      if (length < 0) break;
      this.#start = start;
      this.#length = length;
    }
    const { currentNode: node } = this.#walker;
    // The text on the page can be behind that of the document for a moment.
    return { node, offset: node === this.#element ? 0 : Math.min(offset - this.#start, this.#length) };
  }

  /** Goes to the next text; returns its length, or -1 after the last one. */
  #next(): number {
    return this.#walker.nextNode()?.nodeValue?.length ?? -1;
  }
}
