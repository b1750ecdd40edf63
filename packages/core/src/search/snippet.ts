import { findMatches, type Match, type Needle } from "./needles.ts";

/** About how long a snippet is, in UTF-16 units of the text. */
const snippetLength = 200;
/** Words of the query within so much are shown together. */
const windowLength = 160;
const blockLength = 768;
/** Blocks overlap, so that what stands across their border is found too. */
const overlap = 256;
/** How far past the first match a better place is looked for. */
const lookAhead = 20_000;
const maxMatches = 1_000;

/** How many characters the snippets of one page may look through; a text beyond it shows its beginning. */
export type SnippetBudget = { characters: number };
export const snippetBudget = (): SnippetBudget => ({ characters: 4_000_000 });

/**
 * The place of a text that shows most of what was looked for, as HTML: escaped, matches between `<mark>`, white space
 * folded, cut between words where it can be. A text without a match shows its beginning.
 */
export function makeSnippet(text: string, needles: readonly Needle[], budget: SnippetBudget = snippetBudget()): string {
  const matches = bestWindow(text, needles, budget);
  const [from, to] = matches.length === 0 ? [0, snippetLength] : surroundings(matches);
  const [start, end] = snapped(text, from, to, matches);
  return `${start > 0 ? "…" : ""}${marked(text, start, end, matches)}${end < text.trimEnd().length ? "…" : ""}`;
}

/** The matches of the window that has the most different needles in it; the first such window. */
function bestWindow(text: string, needles: readonly Needle[], budget: SnippetBudget): Match[] {
  if (needles.length === 0) return [];
  const place = firstPlace(text, needles);
  const matches = windowFrom(place, text, needles, budget);
  // The letters may stand within another word alone, and what was looked for before them with its accents.
  return matches.length > 0 || place === 0 ? matches : windowFrom(0, text, needles, budget);
}

/** The same of what stands from a place on. */
function windowFrom(place: number, text: string, needles: readonly Needle[], budget: SnippetBudget): Match[] {
  const matches: Match[] = [];
  let best: { matches: Match[]; variety: number } = { matches: [], variety: 0 };
  let left = 0;
  const worthReading = place - windowLength;
  for (const block of blocks(text)) {
    if (block.start + block.text.length < worthReading) continue;
    const first = matches[0];
    const farEnough = first !== undefined && block.start > first.start + lookAhead;
    if (best.variety === needles.length || farEnough || matches.length > maxMatches || budget.characters <= 0) break;
    budget.characters -= block.text.length;
    for (const found of findMatches(block.text, needles)) {
      const match = { ...found, start: found.start + block.start, end: found.end + block.start };
      const previous = matches.at(-1);
      if (previous !== undefined && match.start <= previous.start) continue;
      matches.push(match);
      while (left < matches.length - 1 && match.end - (matches[left]?.start ?? 0) > windowLength) left += 1;
      const window = matches.slice(left);
      const variety = new Set(window.map(({ needle }) => needle)).size;
      const grows = window[0] === best.matches[0] && variety === best.variety;
      if (variety > best.variety || grows) best = { matches: window, variety };
    }
  }
  return best.matches;
}

/**
 * Where the letters of the first of the words stand, when all of them stand as they are typed: what is before them need not
 * be folded. Else the beginning: some stand with other accents, or nowhere.
 */
function firstPlace(text: string, needles: readonly Needle[]): number {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return 0;
  return Math.max(0, Math.min(...needles.map(({ hint }) => lower.indexOf(hint))));
}

function* blocks(text: string): Generator<{ text: string; start: number }> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(text.length, wordBorder(text, start + blockLength, overlap));
    yield { text: text.slice(start, end), start };
    if (end === text.length) return;
    start = wordBorder(text, end - overlap, overlap / 2);
  }
}

/** The end of the first white space from `at` on within `reach`; else `at`, moved out of a surrogate pair. */
function wordBorder(text: string, at: number, reach: number): number {
  const space = /\s+/.exec(text.slice(at, at + reach));
  if (space !== null) return at + space.index + space[0].length;
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

function surroundings(matches: readonly Match[]): [number, number] {
  const start = matches[0]?.start ?? 0;
  const end = Math.min(matches.at(-1)?.end ?? 0, start + snippetLength * 2);
  const spare = Math.max(40, snippetLength - (end - start));
  const from = Math.max(0, start - Math.floor(spare / 3));
  return [from, Math.max(end, from + snippetLength)];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wordReach = 24;
const margin = 64;

/** Moves both ends to white space nearby, else to the border of a grapheme; never into a match. */
function snapped(text: string, from: number, to: number, matches: readonly Match[]): [number, number] {
  const firstMatch = matches[0]?.start ?? from;
  const lastMatch = Math.min(matches.at(-1)?.end ?? 0, to);
  const start = from === 0 ? 0 : startAfterSpace(text, from, firstMatch);
  const end = to >= text.length ? text.length : endBeforeSpace(text, to, Math.max(lastMatch, start));
  return [start, end];
}

function startAfterSpace(text: string, from: number, limit: number): number {
  const space = /\s+/.exec(text.slice(from, Math.min(from + wordReach, limit)));
  return space === null ? graphemeBorder(text, from) : from + space.index + space[0].length;
}

function endBeforeSpace(text: string, to: number, limit: number): number {
  const low = Math.max(to - wordReach, limit);
  const space = /\s+\S*$/.exec(text.slice(low, to + 1));
  return space === null ? graphemeBorder(text, to) : low + space.index;
}

function graphemeBorder(text: string, at: number): number {
  const low = Math.max(0, at - margin);
  const base = /[\udc00-\udfff]/.test(text.charAt(low)) && low > 0 ? low - 1 : low;
  const segment = graphemes.segment(text.slice(base, at + margin)).containing(at - base);
  return segment === undefined ? at : base + segment.index;
}

/** The escaped text from `start` to `end`; overlapping matches are one mark. */
function marked(text: string, start: number, end: number, matches: readonly Match[]): string {
  let html = "";
  let at = start;
  for (const match of matches) {
    const from = Math.max(match.start, at);
    const to = Math.min(match.end, end);
    if (from >= to) continue;
    html += `${escaped(text.slice(at, from))}<mark>${escaped(text.slice(from, to))}</mark>`;
    at = to;
  }
  html += escaped(text.slice(at, end));
  return html.replaceAll(/\s+/g, " ").trim();
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML, for element content and quoted attributes alike. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
