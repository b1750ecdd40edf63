import type { Command } from "prosemirror-state";
import type { TableWords } from "../../messages/table/index.ts";
import type { IconName } from "../icons/names.ts";
import { moveColumnSeen } from "./table-commands.ts";
import { type Alignment, deleteColumn, deleteRow, insertColumn, insertRow, moveRow } from "./table-edits.ts";

/** An entry of the menu of a row or a column. */
export type TableItem = {
  readonly label: keyof TableWords;
  readonly icon: IconName;
  readonly command: Command;
  readonly keys?: string;
};

export const rowItems: readonly TableItem[] = [
  { label: "rowAbove", icon: "plus", command: insertRow(-1) },
  { label: "rowBelow", icon: "plus", command: insertRow(1) },
  { label: "rowUp", icon: "up", command: moveRow(-1), keys: "Alt+Shift+ArrowUp" },
  { label: "rowDown", icon: "down", command: moveRow(1), keys: "Alt+Shift+ArrowDown" },
  { label: "rowDelete", icon: "trash", command: deleteRow },
];

export const columnItems: readonly TableItem[] = [
  { label: "columnBefore", icon: "plus", command: insertColumn(-1) },
  { label: "columnAfter", icon: "plus", command: insertColumn(1) },
  { label: "columnLeft", icon: "move", command: moveColumnSeen(-1), keys: "Alt+Shift+ArrowLeft" },
  { label: "columnRight", icon: "move", command: moveColumnSeen(1), keys: "Alt+Shift+ArrowRight" },
  { label: "columnDelete", icon: "trash", command: deleteColumn },
];

export const alignments: readonly (readonly [label: keyof TableWords, align: Alignment])[] = [
  ["alignNone", null],
  ["alignLeft", "left"],
  ["alignCenter", "center"],
  ["alignRight", "right"],
];
