import { redo, undo } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import type { Messages } from "../../messages/index.ts";
import type { IconName } from "../icons/names.ts";
import {
  hasMark,
  insertTable,
  isIn,
  moveBlock,
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

const listTool = (
  name: "bulletList" | "orderedList" | "taskList",
  shown: Pick<Tool, "label" | "icon" | "keys">,
): Tool => ({ ...shown, command: toggleList(name), isOn: (state) => isIn(state, name) });

/** The marks, which what is selected with the mouse has at hand too. */
export const markTools: readonly Tool[] = [
  markTool("bold", "toolBold", "Mod+B"),
  markTool("italic", "toolItalic", "Mod+I"),
  markTool("strike", "toolStrike", "Mod+Shift+X"),
  markTool("code", "toolCode", "Mod+E"),
];

/** The button that opens the list of what can be inserted. */
export const insertTool = { label: "toolInsert", icon: "plus", keys: "/" } as const;

/** The button that opens the field for a link. */
export const linkTool = { label: "toolLink", icon: "link", keys: "Mod+K" } as const;

/** Buttons that belong together. */
export type ToolGroup = {
  readonly tools: readonly Tool[];
  /** Where they are behind "More": on narrow screens, or always. */
  readonly further?: "narrow" | "always";
};

/** The groups of the toolbar. */
export const toolGroups: readonly ToolGroup[] = [
  {
    tools: [
      { label: "toolUndo", icon: "undo", keys: "Mod+Z", command: undo },
      { label: "toolRedo", icon: "redo", keys: "Mod+Shift+Z", command: redo },
    ],
  },
  {
    further: "narrow",
    tools: [headingTool(1, "toolHeading1"), headingTool(2, "toolHeading2"), headingTool(3, "toolHeading3")],
  },
  { tools: markTools },
  {
    further: "narrow",
    tools: [
      listTool("bulletList", { label: "toolBullets", icon: "bullets", keys: "Mod+Shift+8" }),
      listTool("orderedList", { label: "toolNumbers", icon: "numbers", keys: "Mod+Shift+7" }),
      listTool("taskList", { label: "toolTasks", icon: "tasks", keys: "Mod+Shift+9" }),
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
  },
  {
    further: "always",
    tools: [
      { label: "moveBlockUp", icon: "up", keys: "Alt+ArrowUp", command: moveBlock(-1) },
      { label: "moveBlockDown", icon: "down", keys: "Alt+ArrowDown", command: moveBlock(1) },
    ],
  },
];

/** The tools of the toolbar, but for those of tables. */
export const toolbarTools: readonly Tool[] = toolGroups.flatMap(({ tools }) => tools);

/** The button that a table has besides: its menu has what is done with rows and columns. */
export const tableTools: readonly Tool[] = [
  { label: "tableMenu", keys: "Shift+F10", command: inTable(({ openTableMenu }) => openTableMenu) },
];
