import { baseKeymap, chainCommands, exitCode } from "prosemirror-commands";
import { redo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import type { NodeType } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { type Command, type EditorState, Plugin } from "prosemirror-state";
import { insertRule, linkOf, nodeType, setHeading, toggle } from "./commands.ts";
import { inTable, onceLoaded } from "./in-table.ts";
import { undoRule } from "./input-rules.ts";
import { toolbarTools } from "./tools.ts";

/** What the page does for keys of the editor. */
export type KeyActions = {
  readonly focusToolbar: () => void;
  readonly editLink: () => void;
  readonly find: () => void;
  readonly openSource: () => void;
  readonly done: () => void;
};

/** `Mod+Shift+B` is `Mod-Shift-b`. */
const keyOf = (keys: string): string => keys.replaceAll("+", "-").replace(/-\w$/, (last) => last.toLowerCase());

/** The keys that the toolbar names, as ProseMirror writes them. */
const keysOfTools = Object.fromEntries(
  toolbarTools.flatMap(({ keys, command }) => (keys === undefined ? [] : [[keyOf(keys), command]])),
);

/** The keys of the editor. Tab moves in lists and tables only; after Escape it leaves the editor everywhere. */
export function editorKeys(actions: KeyActions): Plugin[] {
  const leaving = new Leaving();
  const unlessLeaving =
    (command: Command): Command =>
    (state, dispatch, view) =>
      // What has the focus inside of the text, such as a wide table, is left as anywhere else.
      !leaving.isNext && view?.hasFocus() !== false && command(state, dispatch, view);
  const run =
    (action: () => void): Command =>
    () => {
      action();
      return true;
    };
  const own = keymap({
    ...keysOfTools,
    "Mod-y": redo,
    "Mod-u": toggle("underline"),
    "Mod-Shift-h": toggle("highlight"),
    "Mod-Alt-r": insertRule,
    ...Object.fromEntries([0, 4, 5, 6].map((level) => [`Mod-Alt-${level}`, setHeading(level)])),
    "Mod-k": (state) => {
      if (state.selection.empty && linkOf(state) === "") return false;
      actions.editLink();
      return true;
    },
    "Mod-f": run(actions.find),
    "Mod-Shift-f": run(actions.find),
    "Alt-F10": run(actions.focusToolbar),
    "Mod-Alt-m": run(actions.openSource),
    // ProseMirror keeps every Enter from the page.
    "Mod-Enter": run(actions.done),
    Backspace: undoRule,
    Enter: chainCommands(
      tableOfLine,
      splitListItem(nodeType("listItem")),
      splitListItem(nodeType("taskItem"), { checked: false }),
    ),
    "Shift-Enter": chainCommands(exitCode, insertBreak),
    Tab: unlessLeaving(chainCommands(sink, nextCell)),
    "Shift-Tab": unlessLeaving(chainCommands(previousCell, liftItem)),
  });
  return [leaving.plugin, own, keymap(baseKeymap), keymap({ Tab: startBehind })];
}

/** Remembers Escape until another key than Tab is pressed. */
class Leaving {
  isNext = false;
  readonly plugin = new Plugin({
    props: {
      handleKeyDown: (_view, { key }) => {
        if (key === "Escape") this.isNext = true;
        else if (key !== "Tab" && key !== "Shift") this.isNext = false;
        return false;
      },
      handleDOMEvents: {
        blur: () => {
          this.isNext = false;
        },
      },
    },
  });
}

/** Tab leads out of the text, past wide tables and code in it: browsers stop at what can be scrolled. */
const startBehind: Command = (_state, _dispatch, view) => {
  if (view?.hasFocus() !== true) return false;
  const end = document.createElement("span");
  end.tabIndex = -1;
  view.dom.after(end);
  end.focus({ preventScroll: true });
  // The browser goes on from there right after this key.
  setTimeout(() => end.remove());
  return false;
};

const insertBreak: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type.spec.code === true) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodeType("hardBreak").create(), true).scrollIntoView());
  return true;
};

/** Tab in a list never leaves it, not even where the first item cannot move in further. */
const sink: Command = (state, dispatch) => {
  const item = itemAround(state);
  if (item === null) return false;
  sinkListItem(item)(state, dispatch);
  return true;
};

const liftItem: Command = (state, dispatch) => {
  const item = itemAround(state);
  return item !== null && liftListItem(item)(state, dispatch);
};

/** Enter after `| a | b |` makes a table. */
const tableOfLine: Command = (state, dispatch, view) => {
  const { parent } = state.selection.$from;
  if (parent.type.name !== "paragraph" || !/^\|.+\|\s*$/.test(parent.textContent)) return false;
  return tableOfThisLine(state, dispatch, view);
};

const tableOfThisLine = onceLoaded((commands) => commands.tableOfLine);

/** In the last cell, Tab adds a row. */
const nextCell = inTable(({ goToCell }) => goToCell(1));

const previousCell = inTable(({ goToCell }) => goToCell(-1));

function itemAround({ selection: { $from } }: EditorState): NodeType | null {
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type } = $from.node(depth);
    if (type.name === "listItem" || type.name === "taskItem") return type;
    if (type.name === "table") return null;
  }
  return null;
}
