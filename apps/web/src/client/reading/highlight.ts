import { languageOf } from "./code-languages.ts";

/** The largest block that is coloured, in characters: a longer one would hold the page up. */
export const maxBlockLength = 20_000;

/** The groups of what is coloured, by the kinds of tokens. */
export const colorGroups: Readonly<Record<string, string>> = {
  keyword: "code-word",
  built_in: "code-word",
  literal: "code-number",
  number: "code-number",
  string: "code-string",
  regexp: "code-string",
  comment: "code-comment",
  quote: "code-comment",
  title: "code-name",
  attr: "code-name",
  name: "code-name",
  type: "code-name",
  section: "code-name",
  variable: "code-name",
};

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
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      void colour(target).then((found) => {
        if (ended) return;
        ranges.push(...found);
        for (const [group, range] of found) highlightOf(group).add(range);
      });
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

async function colour(block: Element): Promise<[string, Range][]> {
  const text = block.firstChild;
  const language = languageOf(block.className.replace(/^language-/, ""));
  if (!(text instanceof Text) || language === "" || text.length > maxBlockLength) return [];
  const { tokensOf } = await import("./tokens.ts");
  const tokens = await tokensOf(text.data, language);
  return tokens.flatMap(({ kind, from, to }) => {
    const group = colorGroups[kind];
    if (group === undefined) return [];
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [[group, range]];
  });
}
