import type { MarkJSON, MarkName } from "../types.ts";
import { isSafeUrl } from "../url.ts";
import { cleanAttrs, isSameMeaning } from "./attributes.ts";
import type { Report } from "./report.ts";

// The order of the schema, in which a node stores its marks.
const RANK: { readonly [name in MarkName]: number } = {
  link: 0,
  bold: 1,
  italic: 2,
  strike: 3,
  underline: 4,
  highlight: 5,
  subscript: 6,
  superscript: 7,
  code: 8,
};
export const RANKS: ReadonlyMap<string, number> = new Map(Object.entries(RANK));

/** Text has no marks: one shared array, so that most nodes need none of their own. */
export const NO_MARKS: readonly MarkJSON[] = [];

export function isMark(marks: readonly MarkJSON[] | undefined, type: string): boolean {
  return marks?.some((mark) => mark.type === type) ?? false;
}

/** Marks are equal by type, and a link also by its address and title. */
export function sameMark(a: MarkJSON, b: MarkJSON): boolean {
  if (a === b) return true;
  return a.type === b.type && a.attrs?.href === b.attrs?.href && a.attrs?.title === b.attrs?.title;
}

export function sameMarks(a: readonly MarkJSON[], b: readonly MarkJSON[]): boolean {
  return (
    a === b || (a.length === b.length && a.every((mark, index) => b[index] !== undefined && sameMark(mark, b[index])))
  );
}

function rankOf(mark: MarkJSON): number {
  return RANKS.get(mark.type) ?? -1;
}

function isClean(marks: readonly MarkJSON[]): boolean {
  let last = -1;
  for (const mark of marks) {
    const rank = rankOf(mark);
    if (rank <= last) return false;
    if (mark.type === "link" ? !isCleanLink(mark) : mark.attrs !== undefined) return false;
    last = rank;
  }
  return true;
}

function isCleanLink(mark: MarkJSON): boolean {
  return (
    mark.attrs !== undefined && cleanAttrs("link", mark.attrs) === mark.attrs && isSafeUrl(String(mark.attrs.href))
  );
}

/** Marks in rank order, each once, links safe; the same array where they are so already. */
export function cleanMarks(marks: readonly MarkJSON[] | undefined, report: Report): readonly MarkJSON[] {
  if (marks === undefined || marks.length === 0) return NO_MARKS;
  if (isClean(marks)) return marks;
  const byRank = new Map<number, MarkJSON>();
  for (const mark of marks) {
    const cleaned = cleanMark(mark, report);
    if (cleaned !== undefined && !byRank.has(rankOf(mark))) byRank.set(rankOf(mark), cleaned);
  }
  return [...byRank].sort(([a], [b]) => a - b).map(([, mark]) => mark);
}

function cleanMark(mark: MarkJSON, report: Report): MarkJSON | undefined {
  if (!RANKS.has(mark.type)) {
    report.changed(`the mark ${mark.type} is unknown and was left out`);
    return undefined;
  }
  if (mark.type !== "link") return { type: mark.type };
  const attrs = cleanAttrs("link", mark.attrs) ?? {};
  if (!isSafeUrl(String(attrs.href))) {
    report.changed("a link with an unsafe address became text");
    return undefined;
  }
  if (!isSameMeaning(mark.attrs, attrs)) report.changed("the address or title of a link was cleaned");
  return { type: "link", attrs };
}

/** The marks with one more in its place. */
export function insertMark(marks: readonly MarkJSON[], mark: MarkJSON): readonly MarkJSON[] {
  if (marks.length === 0) return [mark];
  const others = removeMark(marks, mark.type);
  const at = others.findIndex((other) => rankOf(other) > rankOf(mark));
  return at === -1 ? [...others, mark] : others.toSpliced(at, 0, mark);
}

/** The marks without one. */
export function removeMark(marks: readonly MarkJSON[], type: string): readonly MarkJSON[] {
  const rest = marks.filter((mark) => mark.type !== type);
  return rest.length === 0 ? NO_MARKS : rest;
}
