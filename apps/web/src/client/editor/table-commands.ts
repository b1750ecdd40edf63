import { keydownHandler } from "prosemirror-keymap";
import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { keySystem } from "../app/key-system.ts";
import { type KeySystem, keysOn, shortcuts } from "../app/shortcuts.ts";
import { moveColumn, moveRow, type Side } from "./table-edits.ts";
import { selectMore } from "./table-selection.ts";

export { goToCell } from "./table-edits.ts";
export { tableOfLine } from "./table-line.ts";

/** The event of the text that asks for the menu of the row and the column. */
export const menuEvent = "kb-table-menu";

/** Opens the menu of the row and the column of the caret. */
export const openTableMenu: Command = (_state, dispatch, view) => {
  if (dispatch !== undefined) view?.dom.dispatchEvent(new Event(menuEvent));
  return true;
};

/** Moves the column of the caret to the left or to the right, as it is seen. */
export const moveColumnSeen =
  (side: Side): Command =>
  (state, dispatch, view) => {
    const isMirrored = view !== undefined && isRtl(view, state.selection.from);
    return moveColumn(isMirrored ? (side === 1 ? -1 : 1) : side)(state, dispatch, view);
  };

/** Returns whether the first column of the table at a position is at its right. */
function isRtl(view: EditorView, position: number): boolean {
  const { node } = view.domAtPos(position);
  const table = (node instanceof Element ? node : node.parentElement)?.closest("table");
  return table != null && getComputedStyle(table).direction === "rtl";
}

/** Returns what moves the row and the column, by the keys of a system. */
export function movesOn(system: KeySystem): ReadonlyMap<string, Command> {
  const commands = [moveRow(-1), moveRow(1), moveColumnSeen(-1), moveColumnSeen(1)];
  const keys = [...keysOn(shortcuts.tableRow, system), ...keysOn(shortcuts.tableColumn, system)];
  return new Map(commands.map((command, index) => [keys[index] ?? "", command]));
}

const moves = movesOn(keySystem);

/** Returns the keys that an event presses, as `Control+Alt+ArrowUp`. */
const strokeOf = ({ key, ctrlKey, altKey, shiftKey, metaKey }: KeyboardEvent): string =>
  [ctrlKey && "Control", altKey && "Alt", shiftKey && "Shift", metaKey && "Meta", key].filter(Boolean).join("+");

const select = keydownHandler({ "Mod-a": selectMore });

/** Does what a key does in a table: it selects the cell or the table, moves the row or the column, or opens their menu. */
export function pressInTable(view: EditorView, event: KeyboardEvent): boolean {
  if (select(view, event)) return true;
  if (!view.editable) return false;
  const stroke = strokeOf(event);
  if (stroke === "Shift+F10" || stroke === "ContextMenu") return openTableMenu(view.state, view.dispatch, view);
  const move = moves.get(stroke);
  move?.(view.state, view.dispatch, view);
  // At the edge of the table nothing moves, and nothing else happens either.
  return move !== undefined;
}
