import { languageOf } from "./code-languages.ts";
import { partsOfCode } from "./read-code.ts";

/** After this many blocks of a page whose reading took too long its others are not read: they would keep a processor busy for minutes. */
const mostSlow = 3;

/** Colours code once it is in sight. */
type CodeColors = {
  /** Waits until the code of a block is in sight. */
  readonly watch: (block: Element) => void;
  readonly end: () => void;
};

/**
 * Colours code blocks that are in sight, by ranges: no element is added, so nothing moves and copies
 * stay plain. Does nothing where `areColorsShown` is false.
 */
export function colourVisibleCode(): CodeColors {
  if (!areColorsShown()) return { watch: () => {}, end: () => {} };
  const ranges: [string, Range][] = [];
  let ended = false;
  let slow = 0;
  const isWanted = (): boolean => !ended && slow < mostSlow;
  const onSlow = (): void => {
    slow += 1;
  };
  const show = (found: readonly [string, Range][]): void => {
    if (ended) return;
    ranges.push(...found);
    for (const [group, range] of found) highlightOf(group).add(range);
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      // Code whose colors do not come is read without them.
      colour(target, isWanted, onSlow).then(show, () => undefined);
    }
  });
  return {
    watch: (block) => {
      const code = block.querySelector(":scope > code[class^='language-']");
      if (code !== null) observer.observe(code);
    },
    end: () => {
      ended = true;
      observer.disconnect();
      for (const [group, range] of ranges) highlightOf(group).delete(range);
    },
  };
}

/**
 * Returns whether code is coloured: not in browsers without the Custom Highlight API, nor with forced colors, where each range would
 * look as if it were selected.
 */
export const areColorsShown = (): boolean => "highlights" in CSS && !matchMedia("(forced-colors: active)").matches;

/** Returns the ranges of the page that have the color of a group. */
export function highlightOf(group: string): Highlight {
  const known = CSS.highlights.get(group) ?? new Highlight();
  CSS.highlights.set(group, known);
  return known;
}

async function colour(block: Element, isWanted: () => boolean, onSlow: () => void): Promise<[string, Range][]> {
  const text = block.firstChild;
  if (!(text instanceof Text)) return [];
  const parts = await partsOfCode(text.data, languageOf(block.className.replace(/^language-/, "")), isWanted);
  if (parts === "slow") {
    // At once: the next block asks right after this whether it is wanted.
    onSlow();
    return [];
  }
  return parts.map(({ group, from, to }) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [group, range];
  });
}
