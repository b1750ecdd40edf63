/** The largest block that is coloured, in characters: a longer one would hold the page up. */
const maxBlockLength = 20_000;

const groups: Readonly<Record<string, string>> = {
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
 * stay plain. Does nothing in browsers without the Custom Highlight API,
 * nor with forced colors, where each range would look as if it were selected.
 */
export function colourVisibleCode(): CodeColors {
  const isColored = "highlights" in CSS && !matchMedia("(forced-colors: active)").matches;
  if (!isColored) return { watch: () => {}, end: () => {} };
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

function highlightOf(group: string): Highlight {
  const known = CSS.highlights.get(group) ?? new Highlight();
  CSS.highlights.set(group, known);
  return known;
}

async function colour(block: Element): Promise<[string, Range][]> {
  const text = block.firstChild;
  const language = /language-([\w+#-]+)/.exec(block.className)?.[1];
  if (!(text instanceof Text) || language === undefined || text.length > maxBlockLength) return [];
  const { tokensOf } = await import("./tokens.ts");
  const tokens = await tokensOf(text.data, language);
  return tokens.flatMap(({ kind, from, to }) => {
    const group = groups[kind];
    if (group === undefined) return [];
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [[group, range]];
  });
}
