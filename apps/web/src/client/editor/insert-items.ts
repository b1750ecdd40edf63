import { setBlockType } from "prosemirror-commands";
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
import type { Locale } from "../../messages/index.ts";
import type { InsertWords } from "../../messages/insert/index.ts";
import type { IconName } from "../icons/names.ts";
import { insertRule, insertTable, isIn, nodeType, setHeading, toggleList, toggleQuote } from "./commands.ts";
import { insertCallout, insertDetails, insertFootnote, insertFormula } from "./insert-commands.ts";
import { matchWords } from "./match-words.ts";
import type { SuggestedEntry, Suggestion, SuggestionActions, SuggestionSource } from "./suggestion-state.ts";
import { upload } from "./uploads.ts";

type ItemName = keyof InsertWords["items"];

type InsertItem = {
  readonly name: ItemName;
  readonly icon: IconName;
  readonly hint?: string;
  readonly command: Command;
  /** Goes on after the command. */
  readonly open?: (view: EditorView) => void;
  /** Whether it stands in a line of text: a cell of a table has nothing else. */
  readonly isInline?: boolean;
  /** Whether it stands below the block, without the space that was typed before its name. */
  readonly isBelow?: boolean;
};

const headingItem = (level: 1 | 2 | 3): InsertItem => ({
  name: `heading${level}`,
  icon: `heading${level}`,
  hint: "#".repeat(level),
  command: setHeading(level),
});

const calloutItem = (kind: "note" | "tip" | "important" | "warning" | "caution"): InsertItem => ({
  name: kind,
  icon: "callout",
  command: insertCallout(kind),
});

/** What can be inserted, in the order of the list. */
function insertItems(words: InsertWords, actions: SuggestionActions): readonly InsertItem[] {
  return [
    { name: "paragraph", icon: "text", command: setBlockType(nodeType("paragraph")) },
    ...([1, 2, 3] as const).map(headingItem),
    { name: "bullets", icon: "bullets", hint: "-", command: toggleList("bulletList") },
    { name: "numbers", icon: "numbers", hint: "1.", command: toggleList("orderedList") },
    { name: "tasks", icon: "tasks", hint: "[ ]", command: toggleList("taskList") },
    { name: "quote", icon: "quote", hint: ">", command: toggleQuote },
    { name: "table", icon: "table", command: insertTable },
    { name: "code", icon: "codeBlock", hint: "```", command: setBlockType(nodeType("codeBlock")) },
    { name: "rule", icon: "rule", hint: "---", command: insertRule },
    ...(["note", "tip", "important", "warning", "caution"] as const).map(calloutItem),
    { name: "details", icon: "details", command: insertDetails(words.detailsSummary) },
    { name: "formula", icon: "formula", command: insertFormula },
    { name: "footnote", icon: "footnote", command: insertFootnote, isInline: true },
    { name: "image", icon: "image", isBelow: true, ...choosing("image/*", actions) },
    { name: "file", icon: "file", ...choosing("", actions) },
    { name: "date", icon: "date", command: insertText(() => `${today(actions.locale)} `), isInline: true },
  ];
}

/** Lets the writer choose files, which then go to where the caret is. */
const choosing = (accept: string, actions: SuggestionActions): Pick<InsertItem, "command" | "open" | "isInline"> => ({
  isInline: true,
  command: (state, dispatch) => {
    dispatch?.(state.tr);
    return true;
  },
  open: (view) => {
    const field = document.createElement("input");
    field.type = "file";
    field.multiple = true;
    field.accept = accept;
    field.addEventListener(
      "change",
      () => void upload(view, [...(field.files ?? [])], view.state.selection.from, actions),
    );
    field.click();
  },
});

const today = (locale: Locale): string => new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date());

function insertText(read: () => string): Command {
  return (state, dispatch) => {
    dispatch?.(state.tr.insertText(read()).scrollIntoView());
    return true;
  };
}

/** Returns the source of what can be inserted at the caret, found by its names in the reader's language and by synonyms. */
export function insertSource(words: InsertWords, actions: SuggestionActions): SuggestionSource {
  const items = insertItems(words, actions);
  return {
    label: words.listLabel,
    find: ({ state }, question) => {
      const without = withoutQuestion(state, question).state;
      const isInTable = isIn(without, "table");
      const allowed = items.filter(({ command, isInline }) => (isInline || !isInTable) && command(without));
      const named = allowed.map((item) => ({ item, ...words.items[item.name] }));
      return matchWords(question.query, named).map(({ item, label }) => entryOf(item, label));
    },
  };
}

const entryOf = ({ icon, hint, command, isInline, isBelow, open }: InsertItem, label: string): SuggestedEntry => ({
  label,
  icon,
  hint,
  run: (view, question) => {
    runInPlace(view, isInline && !isBelow ? question : withSpace(view.state, question), command);
    open?.(view);
  },
});

/** The space before a question is not needed where it becomes a block. */
function withSpace({ doc }: EditorState, question: Suggestion): Suggestion {
  const { from, sign } = question;
  const isSpace = sign !== "" && from > 0 && doc.textBetween(from - 1, from) === " ";
  return isSpace ? { ...question, from: from - 1 } : question;
}

/** Runs a command in the place of a question, as one change: undo brings the question back. */
export function runInPlace(view: EditorView, question: Suggestion, command: Command): void {
  const { transaction, state } = withoutQuestion(view.state, question);
  command(state, (further) => {
    for (const step of further.steps) transaction.step(step);
    transaction.setSelection(Selection.fromJSON(transaction.doc, further.selection.toJSON()));
    if (further.storedMarks !== null) transaction.setStoredMarks(further.storedMarks);
  });
  view.dispatch(closeHistory(transaction.scrollIntoView()));
  focusField(view);
}

/** Returns the state that is left without the text of a question, and the transaction that leads there. */
function withoutQuestion(
  { tr }: EditorState,
  { from, to }: Suggestion,
): { readonly transaction: Transaction; readonly state: EditorState } {
  if (to > from) tr.delete(from, to);
  const selection = TextSelection.create(tr.doc, from);
  return { transaction: tr.setSelection(selection), state: EditorState.create({ doc: tr.doc, selection }) };
}

/** What was inserted may be a field of its own, such as a formula. */
function focusField(view: EditorView): void {
  const { selection } = view.state;
  const dom = selection instanceof NodeSelection ? view.nodeDOM(selection.from) : null;
  const field = dom instanceof HTMLElement ? dom.querySelector("textarea") : null;
  if (field === null) view.focus();
  else field.select();
}
