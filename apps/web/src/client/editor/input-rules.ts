import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from "prosemirror-inputrules";
import type { NodeRange } from "prosemirror-model";
import { type Command, type EditorState, type Plugin, TextSelection } from "prosemirror-state";
import { isIn, nodeType } from "./commands.ts";
import { formulaRules } from "./formula-rules.ts";
import { isSafeAddress } from "./marks.ts";
import { schema } from "./schema.ts";

/** Formats text that is typed as in Markdown, and by `further` rules. Backspace right after it brings the signs back. */
export function markdownRules(further: readonly InputRule[] = []): Plugin {
  return inputRules({
    rules: [
      ...further,
      ...blockRules,
      ...formulaRules,
      linkRule,
      markRule(/(?:^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "bold", 2),
      markRule(/(?:^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, "italic", 1),
      markRule(/(?:^|[^\w_])_([^_\s](?:[^_]*[^_\s])?)_$/, "italic", 1),
      markRule(/(?:^|[^`])`([^`\s](?:[^`]*[^`\s])?)`$/, "code", 1),
      markRule(/(?:^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/, "strike", 2),
      markRule(/(?:^|[^=])==([^=\s](?:[^=]*[^=\s])?)==$/, "highlight", 2),
      markRule(/(?:^|[^~\\])~([^~\s]+)~$/, "subscript", 1),
      // A face such as ^_^ raises nothing.
      markRule(/(?:^|[^^\\[])\^([^^\s]*[\p{L}\p{N}][^^\s]*)\^$/u, "superscript", 1),
    ],
  });
}

/** `[ ] ` and `[x] ` begin a task, in a list item too. They stay in a heading, which cannot begin one. */
const taskRule = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const checked = /x/i.test(match[1] ?? "");
  const { tr } = state;
  tr.delete(start, end);
  const $start = tr.doc.resolve(start);
  const item = $start.depth > 1 ? $start.node(-1) : null;
  if (item?.type.name === "listItem" && $start.index(-1) === 0) {
    return tr.setNodeMarkup($start.before(-1), nodeType("taskItem"), { checked });
  }
  const range = $start.blockRange();
  if (range === null || !canBeginTask(range)) return null;
  return tr.wrap(range, [{ type: nodeType("taskList") }, { type: nodeType("taskItem"), attrs: { checked } }]);
});

const canBeginTask = ({ parent, startIndex, endIndex }: NodeRange): boolean =>
  parent.canReplaceWith(startIndex, endIndex, nodeType("taskList")) &&
  nodeType("taskItem").contentMatch.matchType(parent.child(startIndex).type) !== null;

const ruleRule = new InputRule(/^---$/, (state, _match, start) => {
  const $start = state.doc.resolve(start);
  const from = $start.before();
  const to = $start.after();
  const isRoom = $start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), nodeType("horizontalRule"));
  if (!isRoom) return null;
  const { tr } = state;
  tr.replaceWith(from, to, [nodeType("horizontalRule").create(), nodeType("paragraph").create()]);
  return tr.setSelection(TextSelection.create(tr.doc, from + 2));
});

/** `[!NOTE] ` at the beginning of a quote makes it a callout of that kind. */
const calloutRule = new InputRule(/^\[!([a-z][\w-]*)\]\s$/i, (state, match, start, end) => {
  const { tr } = state;
  const $start = state.doc.resolve(start);
  if ($start.depth < 2 || $start.node(-1).type.name !== "blockquote" || $start.index(-1) > 0) return null;
  tr.delete(start, end);
  return tr.setNodeMarkup($start.before(-1), nodeType("callout"), { kind: match[1]?.toLowerCase() });
});

/**
 * `[text](address)` becomes a link. An address that no document may link to stays as it was typed, and so does one with an image
 * or a formula, which the rule sees as U+FFFC: the link would replace it.
 */
const linkRule = new InputRule(/(?:^|[^!\]\\])\[([^[\]]+)\]\(([^\s()<>\ufffc]+)\)$/, (state, match, _start, end) => {
  const [, text = "", href = ""] = match;
  const { link } = schema.marks;
  const start = end - `[${text}](${href}`.length;
  if (link === undefined || !isSafeAddress(href) || !state.doc.resolve(start).parent.type.allowsMarkType(link))
    return null;
  if (state.doc.textBetween(start + 1, start + 1 + text.length) !== text || isCode(state, start, end)) return null;
  const { tr } = state;
  tr.delete(start + 1 + text.length, end);
  tr.delete(start, start + 1);
  // The next letter is as the signs were, and not as the last letter of the link.
  const marks = state.storedMarks ?? state.doc.resolve(end).marks();
  return tr.addMark(start, start + text.length, link.create({ href })).setStoredMarks(marks);
});

/**
 * `[^note]` refers to a footnote, which is at the end of the document if there is none with this label yet. The caret stays, to go on
 * with the sentence.
 */
const footnoteRule = new InputRule(/(?<!\\)\[\^([^\s[\]\\^\p{Cc}\ufffc]+)\]$/u, (state, match, start, end) => {
  const label = match[1] ?? "";
  const type = nodeType("footnoteReference");
  const { parent } = state.doc.resolve(start);
  if (!parent.contentMatchAt(0).matchType(type) || isIn(state, "footnoteDefinition")) return null;
  let isKnown = false;
  state.doc.descendants(({ type: { name }, attrs }) => {
    isKnown ||= name === "footnoteDefinition" && foldLabel(String(attrs.label)) === foldLabel(label);
  });
  const { tr } = state;
  tr.replaceWith(start, end, type.create({ label }));
  const note = nodeType("footnoteDefinition").create({ label }, nodeType("paragraph").create());
  return isKnown ? tr : tr.insert(tr.doc.content.size, note);
});

/** Returns a label of a footnote as the codec compares labels. */
export const foldLabel = (label: string): string => label.toLowerCase().toUpperCase();

/** The rules that begin a block or make a note. Their signs are not code. */
const blockRules: readonly InputRule[] = [
  textblockTypeInputRule(/^(#{1,6})\s$/, nodeType("heading"), (match) => ({ level: match[1]?.length ?? 1 })),
  textblockTypeInputRule(/^```([\w+#-]*)\s$/, nodeType("codeBlock"), (match) => ({ language: match[1] || null })),
  wrappingInputRule(/^>\s$/, nodeType("blockquote")),
  wrappingInputRule(/^[-+*]\s$/, nodeType("bulletList")),
  wrappingInputRule(
    /^(\d{1,9})[.)]\s$/,
    nodeType("orderedList"),
    (match) => ({ start: Number(match[1]) }),
    (match, list) => list.childCount + Number(list.attrs.start) === Number(match[1]),
  ),
  taskRule,
  ruleRule,
  calloutRule,
  footnoteRule,
].map((rule) => Object.assign(rule, { inCodeMark: false }));

/** Marks the text between signs, each `length` long, and removes them. The last sign is not in the document yet. */
function markRule(pattern: RegExp, name: string, length: number): InputRule {
  return new InputRule(pattern, (state, match, _start, end) => {
    const type = schema.marks[name];
    const text = match[1] ?? "";
    const signs = end - text.length - (2 * length - 1);
    if (type === undefined || !state.doc.resolve(signs).parent.type.allowsMarkType(type)) return null;
    if (isCode(state, signs, end)) return null;
    if (state.doc.textBetween(signs + length, signs + length + text.length) !== text) return null;
    const { tr } = state;
    tr.delete(signs + length + text.length, end);
    tr.delete(signs, signs + length);
    tr.addMark(signs, signs + text.length, type.create());
    // The next letter is as the signs were, and not as the last letter between them, which may be code.
    return tr.setStoredMarks(type.removeFromSet(state.storedMarks ?? state.doc.resolve(end).marks()));
  });
}

/** Returns whether the first sign is code, or the one that is being typed: the text between them may be. */
function isCode({ doc, storedMarks }: EditorState, start: number, end: number): boolean {
  const { code } = schema.marks;
  if (code === undefined) return false;
  return (
    doc.rangeHasMark(start, start + 1, code) || code.isInSet(storedMarks ?? doc.resolve(end).marks()) !== undefined
  );
}

/** Backspace right after a rule of what is typed brings back what was typed, with the caret behind it. */
export const undoRule: Command = (state, dispatch) => {
  const undoable: unknown = rulesOf(state)?.getState(state);
  if (!isUndoable(undoable)) return false;
  const end = undoable.from + undoable.text.length;
  return undoInputRule(
    state,
    dispatch && ((tr) => dispatch(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView())),
  );
};

/** Returns the plugin of the rules; it knows what can be taken back. */
export const rulesOf = ({ plugins }: EditorState): Plugin | undefined =>
  plugins.find(({ spec }) => spec.isInputRules === true);

const isUndoable = (value: unknown): value is { readonly from: number; readonly text: string } =>
  typeof value === "object" && value !== null && "from" in value && "text" in value;
