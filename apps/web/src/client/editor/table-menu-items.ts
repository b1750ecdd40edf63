import type { Command } from "prosemirror-state";
import type { TableWords } from "../../messages/table/index.ts";
import { keySystem } from "../app/key-system.ts";
import { keysOn, shortcuts } from "../app/shortcuts.ts";
import type { IconName } from "../icons/names.ts";
import { moveColumnSeen } from "./table-commands.ts";
import { deleteColumn, deleteRow, insertColumn, insertRow, moveRow } from "./table-edits.ts";
import type { Alignment } from "./table-grid.ts";

/** An entry of the menu of a row or a column. */
export type TableItem = {
  readonly label: keyof TableWords;
  readonly icon: IconName;
  readonly command: Command;
  readonly keys?: string | undefined;
};

const rowKeys = keysOn(shortcuts.tableRow, keySystem);
const columnKeys = keysOn(shortcuts.tableColumn, keySystem);

export const rowItems: readonly TableItem[] = [
  { label: "rowAbove", icon: "plus", command: insertRow(-1) },
  { label: "rowBelow", icon: "plus", command: insertRow(1) },
  { label: "rowUp", icon: "up", command: moveRow(-1), keys: rowKeys[0] },
  { label: "rowDown", icon: "down", command: moveRow(1), keys: rowKeys[1] },
  { label: "rowDelete", icon: "trash", command: deleteRow },
];

export const columnItems: readonly TableItem[] = [
  { label: "columnBefore", icon: "plus", command: insertColumn(-1) },
  { label: "columnAfter", icon: "plus", command: insertColumn(1) },
  { label: "columnLeft", icon: "move", command: moveColumnSeen(-1), keys: columnKeys[0] },
  { label: "columnRight", icon: "move", command: moveColumnSeen(1), keys: columnKeys[1] },
  { label: "columnDelete", icon: "trash", command: deleteColumn },
];

export const alignments: readonly (readonly [label: keyof TableWords, align: Alignment])[] = [
  ["alignNone", null],
  ["alignLeft", "left"],
  ["alignCenter", "center"],
  ["alignRight", "right"],
];
