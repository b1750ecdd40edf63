import type { MarkJSON } from "../types.ts";
import { isSafeUrl } from "../url.ts";
import { cleanAttrs, reportAttrs } from "./attributes.ts";
import type { Report } from "./report.ts";

/** The names of all marks in the order of the schema, in which a node stores them. Pure: the HTML output needs none. */
export const RANKS: readonly string[] =
  /* @__PURE__ */ "link bold italic strike underline highlight subscript superscript code".split(" ");

/** Text has no marks: one shared array, so that most nodes need none of their own. */
export const NO_MARKS: MarkJSON[] = [];

/** Marks are equal by type, and a link also by its address and title. */
export function sameMark(a: MarkJSON, b: MarkJSON): boolean {
  if (a === b) return true;
  return a.type === b.type && a.attrs?.href === b.attrs?.href && a.attrs?.title === b.attrs?.title;
}

/** True where the last mark is the code mark: there it stands where the marks are in order. */
export function isCode(marks: MarkJSON[] | undefined): boolean {
  return marks?.at(-1)?.type === "code";
}

/** True where the marks hold one that is equal. */
export function hasMark(marks: MarkJSON[], mark: MarkJSON): boolean {
  for (const other of marks) if (sameMark(mark, other)) return true;
  return false;
}

/** True where both hold equal marks in the same order. */
export function sameMarks(a: MarkJSON[], b: MarkJSON[]): boolean {
  return a === b || (a.length === b.length && a.every((mark, index) => sameMark(mark, b[index] ?? mark)));
}

const rankOf = ({ type }: MarkJSON): number => RANKS.indexOf(type);

/** True for marks in rank order, each once, links safe. */
export function areCleanMarks(marks: MarkJSON[]): boolean {
  let last = -1;
  for (const mark of marks) {
    const rank = rankOf(mark);
    if (rank <= last || cleanAttrs(mark.type, mark.attrs) !== mark.attrs) return false;
    if (rank === 0 && !isSafeUrl(String(mark.attrs?.href))) return false;
    last = rank;
  }
  return true;
}

/** Marks in rank order, each once, links safe; the same array where they are so already. */
export function cleanMarks(marks: MarkJSON[] | undefined, report: Report): MarkJSON[] {
  if (!marks?.length) return NO_MARKS;
  if (areCleanMarks(marks)) return marks;
  const byRank: MarkJSON[] = [];
  for (const mark of marks) {
    const cleaned = cleanMark(mark, report);
    if (cleaned) byRank[rankOf(mark)] ??= cleaned;
  }
  return Object.values(byRank);
}

function cleanMark({ type, attrs }: MarkJSON, report: Report): MarkJSON | undefined {
  if (!RANKS.includes(type)) {
    report.changed(`the mark ${type} is unknown and was left out`);
    return undefined;
  }
  if (type !== "link") {
    reportAttrs(type, attrs, undefined, report);
    return { type };
  }
  const clean = cleanAttrs(type, attrs) ?? {};
  if (!isSafeUrl(String(clean.href))) {
    report.changed("a link with an unsafe address became text");
    return undefined;
  }
  reportAttrs(type, attrs, clean, report);
  return { type, attrs: clean };
}

/** The marks with one more in its place. */
export function insertMark(marks: MarkJSON[], mark: MarkJSON): MarkJSON[] {
  return [...marks, mark].sort((a, b) => rankOf(a) - rankOf(b));
}

/** The marks without one. */
export function removeMark(marks: MarkJSON[], type: string): MarkJSON[] {
  const rest = marks.filter((mark) => mark.type !== type);
  return rest.length === 0 ? NO_MARKS : rest;
}
