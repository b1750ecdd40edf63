import { InputRule } from "prosemirror-inputrules";
import { NodeSelection } from "prosemirror-state";
import { allowedAttributes } from "./attributes.ts";
import { nodeType } from "./commands.ts";
import { openingFormula } from "./formula-view.ts";
import { schema } from "./schema.ts";

/**
 * `$x^2$` becomes a formula with the next space or sign: a digit or a letter after the second `$` says that both are prices, as in
 * Markdown.
 */
const inlineRule = new InputRule(
  /(?<![\p{L}\p{N}$\\])\$((?:\\[^\n]|[^$\\\n\ufffc])+)\$([\s.,;:!?)\]])$/u,
  (state, match, start, end) => {
    const [, latex = "", after = ""] = match;
    const type = nodeType("inlineMath");
    const attrs = allowedAttributes(type.spec.attrs, { latex });
    const { parent } = state.doc.resolve(start);
    const { code } = schema.marks;
    const isCode = code !== undefined && state.doc.rangeHasMark(start, end, code);
    if (attrs === false || isCode || !parent.contentMatchAt(0).matchType(type)) return null;
    const marks = state.storedMarks ?? state.doc.resolve(end).marks();
    return state.tr.replaceWith(start, end, [type.create(attrs, null, marks), schema.text(after, marks)]);
  },
);

/** `$$` and a space alone in a block become a formula on lines of its own, which opens to be written. */
const blockRule = new InputRule(/^\$\$\s$/, (state, _match, start, end) => {
  const $start = state.doc.resolve(start);
  const type = nodeType("blockMath");
  const isAlone = $start.parent.content.size === end - start;
  const isRoom = $start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), type);
  if (!isAlone || !isRoom) return null;
  const from = $start.before();
  const { tr } = state;
  tr.replaceWith(from, $start.after(), [type.create({ latex: "x" }), nodeType("paragraph").create()]);
  return openingFormula(tr.setSelection(NodeSelection.create(tr.doc, from)));
});

/** Turns a formula that is typed as in Markdown into one. Signs in code stay. */
export const formulaRules: readonly InputRule[] = [inlineRule, blockRule].map((rule) =>
  Object.assign(rule, { inCodeMark: false }),
);
