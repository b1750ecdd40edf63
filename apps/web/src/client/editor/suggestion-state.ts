import { type EditorState, PluginKey, TextSelection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { Locale } from "../../messages/index.ts";
import type { IconName } from "../icons/names.ts";
import type { UploadActions } from "./upload-state.ts";

/** The sign that asks for suggestions; none where a button asked for what can be inserted. */
export type SuggestionSign = "/" | "";

/** A question for suggestions that stands in the text: a sign, and what was typed after it. */
export type Suggestion = {
  readonly sign: SuggestionSign;
  /** Where the sign begins. */
  readonly from: number;
  /** Where the caret is. */
  readonly to: number;
  readonly query: string;
};

/** Where a question begins. */
export type SuggestionStart = Pick<Suggestion, "sign" | "from">;

/** What the page does for suggestions. */
export type SuggestionActions = UploadActions & { readonly locale: Locale };

/** Something that can be put in the place of a question. */
export type SuggestedEntry = {
  readonly label: string;
  readonly icon?: IconName;
  /** The signs that do the same. */
  readonly hint?: string | undefined;
  /** Does it, in the place of the question. */
  readonly run: (view: EditorView, question: Suggestion) => void;
};

/** The entries for the questions with one sign. */
export type SuggestionSource = {
  /** The name of the list. */
  readonly label: string;
  /** Returns the entries for a question, the best first. */
  readonly find: (view: EditorView, question: Suggestion) => readonly SuggestedEntry[];
};

/** The key of the plugin that knows the question at the caret. */
export const suggestionKey = new PluginKey<Suggestion | null>("suggestions");

/** Returns the question at the caret; null without one. */
export const suggestionIn = (state: EditorState): Suggestion | null => suggestionKey.getState(state) ?? null;

/** Begins a question. */
export const withSuggestion = (transaction: Transaction, start: SuggestionStart): Transaction =>
  transaction.setMeta(suggestionKey, start);

/** Ends the question: its text stays. */
export const withoutSuggestion = (transaction: Transaction): Transaction => transaction.setMeta(suggestionKey, null);

/** Asks for what can be inserted at the end of the selection. */
export function askForInsertion(view: EditorView): void {
  const { tr, selection } = view.state;
  tr.setSelection(TextSelection.near(tr.doc.resolve(selection.to), -1));
  view.dispatch(withSuggestion(tr, { sign: "", from: tr.selection.from }));
  view.focus();
}
