import { redo, undo } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from "prosemirror-tables";
import type { Messages } from "../../messages/index.ts";
import {
  hasMark,
  insertRule,
  insertTable,
  isIn,
  setHeading,
  toggle,
  toggleCodeBlock,
  toggleList,
  toggleQuote,
} from "./commands.ts";

/** The words that are a text by themselves. */
type Phrase = { [Key in keyof Messages]: Messages[Key] extends string ? Key : never }[keyof Messages];

/** A button of the toolbar. */
export type Tool = {
  readonly label: Phrase;
  /** The sign on the button; its label is its name. */
  readonly sign: string;
  readonly command: Command;
  /** Returns whether it is on, for a button that can be on. */
  readonly isOn?: (state: EditorState) => boolean;
  readonly keys?: string;
};

const markTool = (name: string, label: Phrase, sign: string, keys: string): Tool => ({
  label,
  sign,
  keys,
  command: toggle(name),
  isOn: (state) => hasMark(state, name),
});

const headingTool = (level: 1 | 2 | 3, label: Phrase): Tool => ({
  label,
  sign: `H${level}`,
  keys: `Mod+Alt+${level}`,
  command: setHeading(level),
  isOn: (state) => isIn(state, "heading", { level }),
});

/** The groups of the toolbar. */
export const toolGroups: readonly (readonly Tool[])[] = [
  [
    { label: "toolUndo", sign: "↶", keys: "Mod+Z", command: undo },
    { label: "toolRedo", sign: "↷", keys: "Mod+Shift+Z", command: redo },
  ],
  [headingTool(1, "toolHeading1"), headingTool(2, "toolHeading2"), headingTool(3, "toolHeading3")],
  [
    markTool("bold", "toolBold", "B", "Mod+B"),
    markTool("italic", "toolItalic", "I", "Mod+I"),
    markTool("strike", "toolStrike", "S", "Mod+Shift+X"),
    markTool("code", "toolCode", "<>", "Mod+E"),
  ],
  [
    {
      label: "toolBullets",
      sign: "•",
      keys: "Mod+Shift+8",
      command: toggleList("bulletList"),
      isOn: (state) => isIn(state, "bulletList"),
    },
    {
      label: "toolNumbers",
      sign: "1.",
      keys: "Mod+Shift+7",
      command: toggleList("orderedList"),
      isOn: (state) => isIn(state, "orderedList"),
    },
    {
      label: "toolTasks",
      sign: "☑",
      keys: "Mod+Shift+9",
      command: toggleList("taskList"),
      isOn: (state) => isIn(state, "taskList"),
    },
    {
      label: "toolQuote",
      sign: "❝",
      keys: "Mod+Shift+B",
      command: toggleQuote,
      isOn: (state) => isIn(state, "blockquote"),
    },
    {
      label: "toolCodeBlock",
      sign: "{ }",
      keys: "Mod+Alt+C",
      command: toggleCodeBlock,
      isOn: (state) => isIn(state, "codeBlock"),
    },
    { label: "toolRule", sign: "―", keys: "Mod+Alt+R", command: insertRule },
    { label: "toolTable", sign: "▦", command: insertTable },
  ],
];

/** The buttons that a table has besides. */
export const tableTools: readonly Tool[] = [
  { label: "toolAddRow", sign: "+ ↓", command: addRowAfter },
  { label: "toolAddColumn", sign: "+ →", command: addColumnAfter },
  { label: "toolDeleteRow", sign: "− ↓", command: deleteRow },
  { label: "toolDeleteColumn", sign: "− →", command: deleteColumn },
  { label: "toolDeleteTable", sign: "− ▦", command: deleteTable },
];
