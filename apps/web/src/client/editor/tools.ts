import { redo, undo } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import type { Messages } from "../../messages/index.ts";
import type { IconName } from "../icons/names.ts";
import {
  hasMark,
  insertTable,
  isIn,
  setHeading,
  toggle,
  toggleCodeBlock,
  toggleList,
  toggleQuote,
} from "./commands.ts";
import { inTable } from "./in-table.ts";

/** The words that are a text by themselves. */
type Phrase = { [Key in keyof Messages]: Messages[Key] extends string ? Key : never }[keyof Messages];

/** A button of the toolbar. */
export type Tool = {
  readonly label: Phrase;
  /** The icon on the button; without one it shows its label. */
  readonly icon?: IconName;
  readonly command: Command;
  /** Returns whether it is on, for a button that can be on. */
  readonly isOn?: (state: EditorState) => boolean;
  readonly keys?: string;
};

const markTool = (name: "bold" | "italic" | "strike" | "code", label: Phrase, keys: string): Tool => ({
  label,
  icon: name,
  keys,
  command: toggle(name),
  isOn: (state) => hasMark(state, name),
});

const headingTool = (level: 1 | 2 | 3, label: Phrase): Tool => ({
  label,
  icon: `heading${level}`,
  keys: `Mod+Alt+${level}`,
  command: setHeading(level),
  isOn: (state) => isIn(state, "heading", { level }),
});

/** The groups of the toolbar. */
export const toolGroups: readonly (readonly Tool[])[] = [
  [
    { label: "toolUndo", icon: "undo", keys: "Mod+Z", command: undo },
    { label: "toolRedo", icon: "redo", keys: "Mod+Shift+Z", command: redo },
  ],
  [headingTool(1, "toolHeading1"), headingTool(2, "toolHeading2"), headingTool(3, "toolHeading3")],
  [
    markTool("bold", "toolBold", "Mod+B"),
    markTool("italic", "toolItalic", "Mod+I"),
    markTool("strike", "toolStrike", "Mod+Shift+X"),
    markTool("code", "toolCode", "Mod+E"),
  ],
  [
    {
      label: "toolBullets",
      icon: "bullets",
      keys: "Mod+Shift+8",
      command: toggleList("bulletList"),
      isOn: (state) => isIn(state, "bulletList"),
    },
    {
      label: "toolNumbers",
      icon: "numbers",
      keys: "Mod+Shift+7",
      command: toggleList("orderedList"),
      isOn: (state) => isIn(state, "orderedList"),
    },
    {
      label: "toolTasks",
      icon: "tasks",
      keys: "Mod+Shift+9",
      command: toggleList("taskList"),
      isOn: (state) => isIn(state, "taskList"),
    },
    {
      label: "toolQuote",
      icon: "quote",
      keys: "Mod+Shift+B",
      command: toggleQuote,
      isOn: (state) => isIn(state, "blockquote"),
    },
    {
      label: "toolCodeBlock",
      icon: "codeBlock",
      keys: "Mod+Alt+C",
      command: toggleCodeBlock,
      isOn: (state) => isIn(state, "codeBlock"),
    },
    { label: "toolTable", icon: "table", command: insertTable },
  ],
];

/** The buttons that a table has besides. */
export const tableTools: readonly Tool[] = [
  { label: "toolAddRow", command: inTable(({ addRowAfter }) => addRowAfter) },
  { label: "toolAddColumn", command: inTable(({ addColumnAfter }) => addColumnAfter) },
  { label: "toolDeleteRow", command: inTable(({ deleteRow }) => deleteRow) },
  { label: "toolDeleteColumn", command: inTable(({ deleteColumn }) => deleteColumn) },
  { label: "toolDeleteTable", command: inTable(({ deleteTable }) => deleteTable) },
];
