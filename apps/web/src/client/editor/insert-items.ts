import { setBlockType } from "prosemirror-commands";
import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { Locale } from "../../messages/index.ts";
import type { InsertWords } from "../../messages/insert/index.ts";
import type { IconName } from "../icons/names.ts";
import { insertRule, insertTable, isIn, nodeType, setHeading, toggleList, toggleQuote } from "./commands.ts";
import { insertCallout, insertDetails, insertFootnote } from "./insert-commands.ts";
import { insertFormula } from "./insert-formula.ts";
import { matchWords } from "./match-words.ts";
import { runInPlace, withoutQuestion } from "./run-in-place.ts";
import {
  askFor,
  type SuggestedEntry,
  type Suggestion,
  type SuggestionActions,
  type SuggestionSource,
} from "./suggestion-state.ts";
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

/** Returns the entries of the list, in its order. */
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
    { name: "link", icon: "link", isInline: true, command: nothing, open: () => actions.editLink() },
    {
      name: "person",
      icon: "mention",
      hint: "@",
      isInline: true,
      command: nothing,
      open: (view) => askFor(view, "people"),
    },
    {
      name: "emoji",
      icon: "emoji",
      hint: ":",
      isInline: true,
      command: nothing,
      open: (view) => askFor(view, "emoji"),
    },
    { name: "image", icon: "image", isBelow: true, ...choosing("image/*", actions) },
    { name: "file", icon: "file", ...choosing("", actions) },
    { name: "date", icon: "date", command: insertText(() => `${today(actions.locale)} `), isInline: true },
  ];
}

/** Changes nothing: the field that opens afterwards does the rest. */
const nothing: Command = (state, dispatch) => {
  dispatch?.(state.tr);
  return true;
};

/** Lets the writer choose files, which then go to where the caret is. */
const choosing = (accept: string, actions: SuggestionActions): Pick<InsertItem, "command" | "open" | "isInline"> => ({
  isInline: true,
  command: nothing,
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
