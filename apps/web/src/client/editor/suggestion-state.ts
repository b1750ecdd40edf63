import { type EditorState, PluginKey, TextSelection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { Locale } from "../../messages/index.ts";
import type { IconName } from "../icons/names.ts";
import type { UploadActions } from "./upload-state.ts";

/** What is suggested. */
export type SuggestionKind = "insert" | "people" | "emoji";

/** The signs that ask for suggestions where they are typed. */
export const suggestionSigns: ReadonlyMap<string, SuggestionKind> = new Map([
  ["/", "insert"],
  ["@", "people"],
  [":", "emoji"],
]);

/** A question for suggestions that stands in the text: a sign, and what was typed after it. */
export type Suggestion = {
  readonly kind: SuggestionKind;
  /** The sign that was typed; empty where a button asked. */
  readonly sign: string;
  /** Where the sign begins. */
  readonly from: number;
  /** Where the caret is. */
  readonly to: number;
  readonly query: string;
};

/** Where a question begins. */
export type SuggestionStart = Pick<Suggestion, "kind" | "sign" | "from">;

/** What the page does for suggestions. */
export type SuggestionActions = UploadActions & {
  readonly locale: Locale;
  /** Asks for the address of a link. */
  readonly editLink: () => void;
};

/** Something that can be put in the place of a question. */
export type SuggestedEntry = {
  readonly label: string;
  readonly icon?: IconName;
  /** What stands in the place of an icon. */
  readonly symbol?: string;
  /** The signs that do the same. */
  readonly hint?: string | undefined;
  /** Does it, in the place of the question. */
  readonly run: (view: EditorView, question: Suggestion) => void;
};

/** The entries for the questions with one sign. */
export type SuggestionSource = {
  /** The name of the list. */
  readonly label: string;
  /** Returns the entries for a question, the best first; as a promise where they have to be asked for. */
  readonly find: (
    view: EditorView,
    question: Suggestion,
  ) => readonly SuggestedEntry[] | Promise<readonly SuggestedEntry[]>;
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

/** Asks for suggestions at the end of the selection, where no sign was typed. */
export function askFor(view: EditorView, kind: SuggestionKind): void {
  const { tr, selection } = view.state;
  tr.setSelection(TextSelection.near(tr.doc.resolve(selection.to), -1));
  view.dispatch(withSuggestion(tr, { kind, sign: "", from: tr.selection.from }));
  view.focus();
}
