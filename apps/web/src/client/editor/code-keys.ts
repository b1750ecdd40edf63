import { MAX_RANGES, ReplaceRangesStep } from "@kb/live/session";
import { Fragment, Slice } from "prosemirror-model";
import { type EditorState, Selection, TextSelection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { shortcuts } from "../app/shortcuts.ts";
import { nodeType } from "./commands.ts";
import { undoRule } from "./input-rules.ts";
import { schema } from "./schema.ts";

/** Returns the change that a key makes in code; null where it does what it does elsewhere. */
type CodeKey = (state: EditorState) => Transaction | null;

/** A new line begins as far in as the line of the caret. After two empty lines at the end, the third Enter leaves the code instead. */
const newLine: CodeKey = ({ selection, tr }) => {
  const { $from } = selection;
  const text = $from.parent.textContent;
  const blank = /\n[ \t]*\n[ \t]*$/.exec(text);
  if (selection.empty && blank !== null && $from.parentOffset === text.length) {
    const after = tr.delete($from.start() + blank.index, $from.pos).mapping.map($from.after());
    return paragraphAt(tr, after);
  }
  const line = text.slice(startOfLine(text, $from.parentOffset), $from.parentOffset);
  return tr.insertText(`\n${/^[ \t]*/.exec(line)?.[0] ?? ""}`);
};

/** At an end of the text, an arrow leaves code that nothing stands beside. */
const leave =
  (direction: -1 | 1): CodeKey =>
  ({ selection, tr, doc }) => {
    const { $from, empty } = selection;
    const isAtEnd = $from.parentOffset === (direction < 0 ? 0 : $from.parent.content.size);
    const beside = direction < 0 ? $from.before() : $from.after();
    const isLast = Selection.findFrom(doc.resolve(beside), direction) === null;
    return empty && isAtEnd && isLast ? paragraphAt(tr, beside) : null;
  };

function paragraphAt(tr: Transaction, position: number): Transaction | null {
  const $position = tr.doc.resolve(position);
  const paragraph = nodeType("paragraph").create();
  if (!$position.parent.canReplaceWith($position.index(), $position.index(), paragraph.type)) return null;
  tr.insert(position, paragraph);
  return tr.setSelection(TextSelection.create(tr.doc, position + 1));
}

/** Code without text becomes a paragraph. Right after the signs that made the code, they come back instead. */
const unwrap: CodeKey = (state) => {
  const { $from } = state.selection;
  if ($from.parent.content.size > 0 || undoRule(state)) return null;
  return state.tr.setNodeMarkup($from.before(), nodeType("paragraph"));
};

/**
 * Moves the selected lines in or out by one step, which is a tab in code that has some. Many lines are one change of the document: the
 * session stops writers who are thousands of changes ahead of the service.
 */
const indent =
  (direction: -1 | 1): CodeKey =>
  ({ selection: { $from, $to, empty }, tr }) => {
    const text = $from.parent.textContent;
    const step = schema.text(/^\t/m.test(text) ? "\t" : "  ");
    const first = startOfLine(text, $from.parentOffset);
    // A line is not selected where only its beginning is.
    const last = empty ? $to.parentOffset : $to.parentOffset - 1;
    const changes: Replacement[] = [];
    for (let at = startOfLine(text, last); at >= first; at = startOfLine(text, at - 1)) {
      const from = $from.start() + at;
      const isEmpty = text[at] === "\n" && !empty;
      const removed = direction < 0 ? (/^(?:\t| {1,2})/.exec(text.slice(at, at + 2))?.[0].length ?? 0) : 0;
      if (removed > 0) changes.push({ from, to: from + removed, slice: Slice.empty });
      else if (direction > 0 && !isEmpty) changes.push({ from, to: from, slice: new Slice(Fragment.from(step), 0, 0) });
      if (at === 0) break;
    }
    // The last lines come first, so that the places of the others stay.
    for (let at = 0; at < changes.length; at += MAX_RANGES) {
      tr.step(new ReplaceRangesStep(changes.slice(at, at + MAX_RANGES).reverse()));
    }
    return tr;
  };

type Replacement = ConstructorParameters<typeof ReplaceRangesStep>[0][number];

const startOfLine = (text: string, offset: number): number => text.slice(0, offset).lastIndexOf("\n") + 1;

const keys: ReadonlyMap<string, CodeKey> = new Map<string, CodeKey>([
  ["Enter", newLine],
  ["ArrowUp", leave(-1)],
  ["ArrowDown", leave(1)],
  ["Backspace", unwrap],
  [shortcuts.indentCode.keys[0], indent(1)],
  [shortcuts.outdentCode.keys[0], indent(-1)],
]);

/** Does what a key does in code; returns false for one that does nothing else than elsewhere. */
export function pressInCode(
  view: Pick<EditorView, "state" | "dispatch" | "editable" | "composing">,
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): boolean {
  const { selection } = view.state;
  const { $from, $to } = selection;
  const isInCode = selection instanceof TextSelection && $from.parent.type.spec.code === true && $from.sameParent($to);
  if (!isInCode || !view.editable || view.composing || event.altKey || event.shiftKey) return false;
  const { key, ctrlKey, metaKey } = event;
  const change = keys.get(ctrlKey !== metaKey ? `Mod+${key}` : key)?.(view.state) ?? null;
  if (change?.docChanged === true) view.dispatch(change.scrollIntoView());
  return change !== null;
}
