import type { Target } from "../actions/target.ts";
import { isBehindRest, type Level } from "./level-pages.ts";
import type { Destination } from "./move.ts";
import type { ItemRow, LevelPlace, Row } from "./rows.ts";

/** Where a dragged document is over a row. */
export type DropZone = "before" | "inside" | "after";

/** Returns the zone of a position within a row, from 0 at its top to 1 at its bottom. */
export function zoneAt(row: ItemRow, position: number): DropZone {
  if (row.node === undefined) return "inside";
  if (position < 0.3) return "before";
  return position > 0.7 && row.isOpen !== true ? "after" : "inside";
}

/** Returns where a document that is dropped on a row goes; undefined where it cannot be. */
export function dropPlace(
  target: Target,
  row: ItemRow,
  zone: DropZone,
  rows: readonly Row[],
  levelAt: (place: LevelPlace) => Level | undefined,
): Destination | undefined {
  const { collection, node } = row;
  if (target.collectionId !== collection.id && !collection.abilities.createDocument) return undefined;
  if (!target.abilities.edit || isWithin(row, target.id, rows)) return undefined;
  if (node === undefined) return { collectionId: collection.id, parentId: null, after: null };
  if (zone === "inside") return { collectionId: collection.id, parentId: node.id, after: null };
  const place = { collectionId: collection.id, parentId: node.parentId };
  if (zone === "after") return { ...place, after: node.id };
  const level = levelAt(place);
  // The document before it is not loaded.
  if (level !== undefined && isBehindRest(level, node)) return undefined;
  const siblings = (level?.data ?? []).filter(({ id }) => id !== target.id);
  const index = siblings.findIndex(({ id }) => id === node.id);
  return { ...place, after: siblings[index - 1]?.id ?? null };
}

/** Returns whether a row is the document itself or below it. */
function isWithin(row: ItemRow, id: string, rows: readonly Row[]): boolean {
  const byKey = new Map(rows.map((each) => [each.key, each]));
  for (let each: Row | undefined = row; each !== undefined; each = byKey.get(each.parentKey ?? "")) {
    if (each.key === id) return true;
  }
  return false;
}
