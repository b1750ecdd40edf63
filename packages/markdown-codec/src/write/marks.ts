import { hasMark } from "../normal/marks.ts";
import type { EmitOptions, MarkJSON, NodeJSON } from "../types.ts";

/** How a mark is written around its text. Tags have no flanking rules: they work wherever they stand. */
export interface Delimiters {
  readonly open: string;
  readonly close: string;
  readonly isTag: boolean;
}

/** Mark name to delimiters. */
export type MarkTable = ReadonlyMap<string, Delimiters>;

// The sign and the tag of every mark.
const FORMS: { readonly [mark: string]: readonly [sign: string, tag: string] } = {
  bold: ["**", "strong"],
  italic: ["*", "em"],
  strike: ["~~", "s"],
  underline: ["++", "u"],
  highlight: ["==", "mark"],
  subscript: ["~", "sub"],
  superscript: ["^", "sup"],
};

/** The forms of every mark as `emit` chooses them; without it all are tags. */
export function markForms(emit?: EmitOptions): MarkTable {
  const underline = emit?.underline ?? "u";
  return new Map(
    Object.entries(FORMS).map(([mark, [sign, name]]) => {
      const isUnderline = mark === "underline";
      const isTag = !emit || (isUnderline ? underline !== "++" : name.startsWith("su") && emit.subSup === "html");
      const tag = isUnderline && emit ? underline : name;
      return [mark, isTag ? { open: `<${tag}>`, close: `</${tag}>`, isTag } : { open: sign, close: sign, isTag }];
    }),
  );
}

/** All marks as tags. Pure: a bundle of the HTML output needs none of these tables. */
export const TAGS: MarkTable = /* @__PURE__ */ markForms();
/** All marks as they are written where nobody chooses. */
export const SIGNS: MarkTable = /* @__PURE__ */ markForms({});

/** The index of the first node from `index` on that does not have the mark. */
function markEnd(nodes: readonly NodeJSON[], index: number, mark: MarkJSON): number {
  let end = index;
  for (let marks = nodes[end]?.marks; marks && hasMark(marks, mark); marks = nodes[end]?.marks) end++;
  return end;
}

/** Returns the change of marks at the node at `index`: how many open marks stay open, and which open now, the longest first. */
export function markSteps(
  open: MarkJSON[],
  wanted: MarkJSON[],
  nodes: readonly NodeJSON[],
  index: number,
): { keep: number; missing: MarkJSON[] } {
  const [first] = wanted;
  if (open.length === 0 && wanted.length === 1 && first !== undefined) return { keep: 0, missing: [first] };
  const firstClosed = open.findIndex((mark) => !hasMark(wanted, mark));
  const keep = firstClosed === -1 ? open.length : firstClosed;
  const missing = wanted.filter((mark) => !hasMark(open.slice(0, keep), mark));
  if (missing.length < 2) return { keep, missing };
  const ends = new Map(missing.map((mark) => [mark, markEnd(nodes, index, mark)]));
  // The sort is stable: on ties the order of `wanted` decides.
  return { keep, missing: missing.sort((a, b) => (ends.get(b) ?? 0) - (ends.get(a) ?? 0)) };
}

/** True where a node has a mark of this type. */
export function usesMark(nodes: readonly NodeJSON[], type: string): boolean {
  for (const { marks } of nodes) {
    if (marks !== undefined) for (const mark of marks) if (mark.type === type) return true;
  }
  return false;
}
