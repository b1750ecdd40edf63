import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { moveColumn, moveRow, type Side } from "./table-edits.ts";

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

const moves: { readonly [key: string]: Command } = {
  ArrowUp: moveRow(-1),
  ArrowDown: moveRow(1),
  ArrowLeft: moveColumnSeen(-1),
  ArrowRight: moveColumnSeen(1),
};

/** Does what a key does in a table: Alt+Shift+arrow moves the row or the column, Shift+F10 opens their menu. */
export function pressInTable(view: EditorView, event: KeyboardEvent): boolean {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (ctrlKey || metaKey || !view.editable) return false;
  if ((key === "F10" && shiftKey && !altKey) || (key === "ContextMenu" && !altKey && !shiftKey))
    return openTableMenu(view.state, view.dispatch, view);
  const move = altKey && shiftKey ? moves[key] : undefined;
  move?.(view.state, view.dispatch, view);
  // At the edge of the table nothing moves, and nothing else happens either.
  return move !== undefined;
}
