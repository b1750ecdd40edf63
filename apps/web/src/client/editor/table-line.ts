import type { Fragment, Node } from "prosemirror-model";
import { type Command, TextSelection } from "prosemirror-state";
import { isIn, nodeType } from "./commands.ts";
import { rulesOf } from "./input-rules.ts";
import { schema } from "./schema.ts";

/** Enter after `| a | b |` makes a table with these headings, and leads to its first row. */
export const tableOfLine: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { parent, pos } = $from;
  if (!empty || parent.type.name !== "paragraph" || $from.parentOffset < parent.content.size) return false;
  const headings = headingsOf(parent);
  const index = $from.index(-1);
  if (headings === null || isIn(state, "table")) return false;
  if (!$from.node(-1).canReplaceWith(index, index + 1, nodeType("table"))) return false;
  if (dispatch === undefined) return true;
  const row = (cell: string, texts: readonly (Fragment | null)[]): Node =>
    nodeType("tableRow").create(
      null,
      texts.map((text) => nodeType(cell).create(null, nodeType("paragraph").create(null, text))),
    );
  const head = row("tableHeader", headings);
  const body = row(
    "tableCell",
    headings.map(() => null),
  );
  const { tr } = state;
  const start = $from.before();
  tr.replaceWith(start, $from.after(), nodeType("table").create(null, [head, body]));
  tr.setSelection(TextSelection.create(tr.doc, start + head.nodeSize + 4));
  const rules = rulesOf(state);
  if (rules !== undefined) tr.setMeta(rules, { transform: tr, from: pos, to: pos, text: "" });
  dispatch(tr.scrollIntoView());
  return true;
};

/** Returns what is between the bars of a line; null if it is no row of headings. A bar in code, or behind a backslash, is text. */
function headingsOf(line: Node): Fragment[] | null {
  const { content } = line;
  const text = line.textBetween(0, content.size, null, "\ufffc");
  const { code } = schema.marks;
  const bars = [...text.matchAll(/(?<!\\)\|/g)]
    .map(({ index }) => index)
    .filter((at) => code === undefined || !line.rangeHasMark(at, at + 1, code));
  const columns = bars.length - 1;
  if (columns < 1 || columns > 50 || bars[0] !== 0 || text.slice(bars.at(-1)).trim() !== "|") return null;
  // A row of dashes is what stands below the headings in Markdown.
  if (/^[|\s:-]*$/.test(text)) return null;
  return bars.slice(1).map((end, index) => {
    const start = (bars[index] ?? 0) + 1;
    const cell = text.slice(start, end);
    const from = Math.min(end, start + cell.length - cell.trimStart().length);
    return content.cut(from, Math.max(from, start + cell.trimEnd().length));
  });
}
