import { escapeHtml } from "markdown-codec/html";
import { findMatches, type Match, mostMatched, type Needle } from "./needles.ts";

/** The approximate length of a snippet, in UTF-16 units of the text. */
const snippetLength = 200;
/** Words of the query within this distance are shown together. */
const windowLength = 160;
const blockLength = 768;
/** Most snippets end with their first block: it reaches from before the first place to the end of a window after it. */
const firstBlockLength = 3 * windowLength;
/** Blocks overlap by at least a window, so that one across their border is in the second one. */
const overlap = 256;
/** Each of up to this number of needles is searched for in the whole text. */
const maxPlaced = 8;
/** A better window is searched for within this distance from the first match. */
const lookAhead = 20_000;
const maxMatches = 1_000;

/** The number of characters that the snippets of one page may examine. A text beyond it shows its beginning. */
export type SnippetBudget = { characters: number };
/** Returns the budget of one page. */
export const snippetBudget = (): SnippetBudget => ({ characters: 4_000_000 });

/** The form of a snippet: how its text and its matches are written. */
export type SnippetForm = { readonly text: (part: string) => string; readonly match: (part: string) => string };

/** HTML: escaped, matches in `<mark>`. */
export const htmlSnippet: SnippetForm = { text: escapeHtml, match: (part) => `<mark>${escapeHtml(part)}</mark>` };
/** Plain text, matches between `**`. */
export const plainSnippet: SnippetForm = { text: (part) => part, match: (part) => `**${part}**` };

/**
 * Returns the part of a text with the most matches: white space collapsed, cut between words where possible. A text without a
 * match shows its beginning.
 */
export function makeSnippet(
  text: string,
  needles: readonly Needle[],
  budget: SnippetBudget = snippetBudget(),
  form: SnippetForm = htmlSnippet,
): string {
  const matches = bestWindow(text, needles, budget);
  const [from, to] = matches.length === 0 ? [0, snippetLength] : surroundings(matches);
  const [start, end] = snapped(text, from, to, matches);
  return `${start > 0 ? "…" : ""}${marked(text.slice(0, end), start, matches, form)}${end < text.trimEnd().length ? "…" : ""}`;
}

/** Returns the matches of the first window with the most different needles. */
function bestWindow(text: string, needles: readonly Needle[], budget: SnippetBudget): Match[] {
  if (needles.length === 0) return [];
  const place = firstPlace(text, needles);
  const matches = windowFrom(place, text, needles, budget);
  // The letters found may be inside another word, after a match with accents: search again from the beginning.
  return matches.length > 0 || place === 0 ? matches : windowFrom(0, text, needles, budget);
}

/** Matches that are shown together, and the number of different needles among them. */
type Window = { readonly matches: Match[]; readonly variety: number };

/** Tells whether a block may continue the best window, or contain one with more of the needles. */
function canImprove(block: { text: string; start: number }, best: Window, needles: readonly Needle[]): boolean {
  const begin = best.matches[0]?.start;
  const continues = begin !== undefined && block.start <= begin + windowLength;
  const most = mostMatched(block.text, needles);
  return most > best.variety || (continues && most > 0);
}

/** Returns the matches of the best window from an offset on. */
function windowFrom(place: number, text: string, needles: readonly Needle[], budget: SnippetBudget): Match[] {
  const matches: Match[] = [];
  let best: Window = { matches: [], variety: 0 };
  let left = 0;
  for (const block of blocks(text, place)) {
    const first = matches[0];
    const farEnough = first !== undefined && block.start > first.start + lookAhead;
    if (best.variety === needles.length || farEnough || matches.length > maxMatches || budget.characters <= 0) break;
    budget.characters -= block.text.length;
    if (!canImprove(block, best, needles)) continue;
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
 * Returns the first offset of the needles as typed, if the text has all of them: text before it need not be folded. Otherwise
 * returns 0, as for a query of many words, which a text has near its beginning.
 */
function firstPlace(text: string, needles: readonly Needle[]): number {
  if (needles.length > maxPlaced) return 0;
  let place = text.length;
  for (const { typed } of needles) {
    const at = text.search(typed);
    if (at < 0) return 0;
    place = Math.min(place, at);
  }
  return place;
}

/** Divides a text into blocks, from shortly before a place on. */
function* blocks(text: string, place: number): Generator<{ text: string; start: number }> {
  const before = place - windowLength;
  let start = before <= 0 ? 0 : wordBorder(text, before, windowLength / 2);
  let length = firstBlockLength;
  while (start < text.length) {
    const end = Math.min(text.length, wordBorder(text, start + length, overlap));
    length = blockLength;
    yield { text: text.slice(start, end), start };
    if (end === text.length) return;
    start = wordBorder(text, end - overlap, overlap - windowLength);
  }
}

/**
 * Returns the end of the first white space after `at`, within `reach`; otherwise `at`, moved out of a surrogate pair.
 */
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

/** Moves both ends to nearby white space, otherwise to the border of a grapheme; never into a match. */
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

/** Returns the text from `start` on, with overlapping matches in one mark. */
function marked(text: string, start: number, matches: readonly Match[], form: SnippetForm): string {
  let written = "";
  let at = start;
  for (const match of matches) {
    const from = Math.max(match.start, at);
    const to = Math.min(match.end, text.length);
    if (from >= to) continue;
    written += form.text(text.slice(at, from)) + form.match(text.slice(from, to));
    at = to;
  }
  written += form.text(text.slice(at));
  return written.replaceAll(/\s+/g, " ").trim();
}
