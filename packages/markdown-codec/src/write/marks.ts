import { NO_MARKS, sameMark } from "../normal/marks.ts";
import type { EmitOptions, MarkJSON, NodeJSON } from "../types.ts";

/** How a mark is written around its text. Tags have no flanking rules: they work wherever they stand. */
export interface Delimiters {
  readonly open: string;
  readonly close: string;
  readonly isTag: boolean;
}

const delimiter = (text: string): Delimiters => ({ open: text, close: text, isTag: false });
const tag = (name: string): Delimiters => ({ open: `<${name}>`, close: `</${name}>`, isTag: true });

/** Mark name to delimiters. */
export type MarkTable = ReadonlyMap<string, Delimiters>;

const UNDERLINE = { u: tag("u"), ins: tag("ins"), "++": delimiter("++") };

/** The short form of every mark. */
export function shortForms(emit: EmitOptions = {}): MarkTable {
  const html = emit.subSup === "html";
  return new Map([
    ["bold", delimiter("**")],
    ["italic", delimiter("*")],
    ["strike", delimiter("~~")],
    ["underline", UNDERLINE[emit.underline ?? "u"]],
    ["highlight", delimiter("==")],
    ["subscript", html ? tag("sub") : delimiter("~")],
    ["superscript", html ? tag("sup") : delimiter("^")],
  ]);
}

/** Every mark as a tag. */
export const TAG_FORMS: MarkTable = new Map([
  ["bold", tag("strong")],
  ["italic", tag("em")],
  ["strike", tag("s")],
  ["underline", tag("u")],
  ["highlight", tag("mark")],
  ["subscript", tag("sub")],
  ["superscript", tag("sup")],
]);

/** For each node, where the run of each of its marks ends: the index of the first node without it. */
export function markExtents(nodes: readonly NodeJSON[]): ReadonlyMap<MarkJSON, number>[] {
  const extents: Map<MarkJSON, number>[] = new Array(nodes.length);
  for (let index = nodes.length - 1; index >= 0; index--) {
    const next = nodes[index + 1]?.marks ?? NO_MARKS;
    const own = new Map<MarkJSON, number>();
    for (const mark of nodes[index]?.marks ?? NO_MARKS) {
      const same = next.find((other) => sameMark(mark, other));
      own.set(mark, (same && extents[index + 1]?.get(same)) || index + 1);
    }
    extents[index] = own;
  }
  return extents;
}
