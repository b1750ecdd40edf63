import type { Node } from "prosemirror-model";
import type { EditorView } from "prosemirror-view";
import { languageOf } from "../reading/code-languages.ts";
import { areColorsShown } from "../reading/highlight.ts";
import { partsOfCode } from "../reading/read-code.ts";
import { CodeRanges } from "./code-ranges.ts";

/** The colors of a block of code: `follow` tells of a change of its text. */
export type ColoredCode = { readonly follow: () => void; readonly end: () => void };

type Block = { readonly read: () => Node; readonly ranges: CodeRanges; isNear: boolean; slow?: SlowCode };

/** Code whose reading took too long. It has no colors until its language is another one or its text is half as long. */
type SlowCode = { readonly language: string; readonly length: number };

/** Colors wait until nobody has written in code for this time, and longer in a long block, which takes longer to read. */
const pauseMs = 150;
const pauseMsPerCharacter = 0.01;
/** The most characters that have colors at a time. */
const mostColored = 60_000;

const painters = new WeakMap<EditorView, CodePainter>();

/** Colors a block of code in the text as readers see it, as long as it is near what is seen. */
export function colorCode(view: EditorView, element: unknown, read: () => Node): ColoredCode {
  if (!(element instanceof Element) || !areColorsShown()) return { follow: nothing, end: nothing };
  const painter = painters.get(view) ?? new CodePainter();
  painters.set(view, painter);
  return painter.add(element, read);
}

const nothing = (): void => undefined;

/** Colors the blocks of a text, one after the other. */
class CodePainter {
  readonly #blocks = new Map<Element, Block>();
  readonly #waiting = new Set<Block>();
  readonly #observer = new IntersectionObserver((entries) => this.#see(entries), { rootMargin: "50% 0px" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isPainting = false;

  add(element: Element, read: () => Node): ColoredCode {
    const block: Block = { read, ranges: new CodeRanges(element), isNear: false };
    this.#blocks.set(element, block);
    this.#observer.observe(element);
    return { follow: () => this.#follow(block), end: () => this.#end(element, block) };
  }

  #end(element: Element, block: Block): void {
    this.#observer.unobserve(element);
    this.#blocks.delete(element);
    this.#leave(block);
  }

  #see(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) {
      const block = this.#blocks.get(target);
      if (block === undefined) continue;
      block.isNear = isIntersecting;
      if (isIntersecting) this.#waiting.add(block);
      else this.#leave(block);
    }
    this.#paintAfter(0);
  }

  #leave(block: Block): void {
    block.isNear = false;
    this.#waiting.delete(block);
    block.ranges.clear();
  }

  #follow(block: Block): void {
    if (!block.isNear) return;
    // The text on the page follows the document right after this.
    queueMicrotask(() => block.ranges.follow(block.read().textContent));
    this.#waiting.add(block);
    this.#paintAfter(pauseMs + pauseMsPerCharacter * block.read().content.size);
  }

  #paintAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#paintNext(), ms);
  }

  async #paintNext(): Promise<void> {
    const [block] = this.#waiting;
    if (block === undefined || this.#isPainting) return;
    this.#waiting.delete(block);
    this.#isPainting = true;
    try {
      await this.#paint(block);
    } catch {
      // The colors of the language were not loaded: the next change asks for them again.
    } finally {
      this.#isPainting = false;
    }
    if (this.#waiting.size > 0) this.#paintAfter(0);
  }

  async #paint(block: Block): Promise<void> {
    const { textContent: text, attrs } = block.read();
    const language = languageOf(String(attrs.language ?? ""));
    const isSlow = block.slow?.language === language && text.length > block.slow.length / 2;
    const isRead = !isSlow && this.#isRoomFor(block);
    const found = isRead ? await partsOfCode(text, language, () => block.isNear) : [];
    if (found === "slow") block.slow = { language, length: text.length };
    const parts = found === "slow" ? [] : found;
    // Else it waits again, or is out of sight.
    if (block.isNear && block.read().textContent === text) block.ranges.paint(text, parts);
  }

  #isRoomFor(block: Block): boolean {
    const others = [...this.#blocks.values()].filter((other) => other !== block);
    return others.reduce((sum, { ranges }) => sum + ranges.length, block.read().content.size) <= mostColored;
  }
}
