import { closeHistory } from "prosemirror-history";
import {
  type Command,
  EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { openFormula } from "./formula-view.ts";
import type { Suggestion } from "./suggestion-state.ts";

/** Runs a command in the place of a question, as one change: undo brings the question back. */
export function runInPlace(view: EditorView, question: Suggestion, command: Command): void {
  const { transaction, state } = withoutQuestion(view.state, question);
  command(state, (further) => {
    for (const step of further.steps) transaction.step(step);
    transaction.setSelection(Selection.fromJSON(transaction.doc, further.selection.toJSON()));
    if (further.storedMarks !== null) transaction.setStoredMarks(further.storedMarks);
  });
  view.dispatch(closeHistory(transaction.scrollIntoView()));
  view.focus();
  const { selection } = view.state;
  if (selection instanceof NodeSelection && "latex" in selection.node.attrs) openFormula(view);
}

/** Returns the state that is left without the text of a question, and the transaction that leads there. */
export function withoutQuestion(
  { tr }: EditorState,
  { from, to }: Suggestion,
): { readonly transaction: Transaction; readonly state: EditorState } {
  if (to > from) tr.delete(from, to);
  const selection = TextSelection.create(tr.doc, from);
  return { transaction: tr.setSelection(selection), state: EditorState.create({ doc: tr.doc, selection }) };
}
