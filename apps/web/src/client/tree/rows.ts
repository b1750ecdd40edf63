import type { BootCollection, TreeNode } from "../api/contract.ts";
import { isBehindRest, type Level, pageAt } from "./level-pages.ts";

/** Names a level of the tree: the documents below a parent, or the top level of a collection. */
export type LevelPlace = { readonly collectionId: string; readonly parentId: string | null };

type Common = {
  readonly key: string;
  /** The depth from 1, as assistive technology counts it. */
  readonly level: number;
  /** The key of the row above it in the hierarchy; undefined for a collection. */
  readonly parentKey: string | undefined;
};

/** A row of the tree that can have the focus. */
export type ItemRow = Common & {
  readonly kind: "item";
  readonly collection: BootCollection;
  /** Undefined for the row of the collection itself. */
  readonly node: TreeNode | undefined;
  readonly title: string;
  readonly emoji: string | null;
  /** Undefined for a row without anything below it. */
  readonly isOpen: boolean | undefined;
  /** The place among the siblings; undefined for a document that the tree was opened at behind those that are loaded. */
  readonly position: number | undefined;
  /** The number of siblings; -1 while not all are loaded. */
  readonly setSize: number;
};

/** Stands for documents that are not loaded yet. */
export type GapRow = Common & {
  readonly kind: "gap";
  readonly place: LevelPlace;
  /**
   * The whole level, the documents behind the loaded ones, those between the loaded ones and a document that the tree was opened at, or
   * one document that is not shown before it is read again.
   */
  readonly missing: "level" | "rest" | "between" | TreeNode;
};

/** A row of the tree. */
export type Row = ItemRow | GapRow;

type Source = {
  readonly collections: readonly BootCollection[];
  readonly levelAt: (place: LevelPlace) => Level | undefined;
  readonly isOpen: (key: string) => boolean;
};

/** Returns the rows of the tree that are open, from the top. */
export function rowsOf({ collections, levelAt, isOpen }: Source): Row[] {
  const rows: Row[] = [];
  const addLevel = (parent: ItemRow): void => {
    const { collection } = parent;
    const place = { collectionId: collection.id, parentId: parent.node?.id ?? null };
    const level = levelAt(place);
    const common = { level: parent.level + 1, parentKey: parent.key };
    const data = level?.data ?? [];
    const setSize = level === undefined || level.nextCursor !== null ? -1 : data.length;
    const hasHidden = level?.pages?.some(({ state }) => state === "hidden") === true;
    const isHidden = (node: TreeNode): boolean => hasHidden && pageAt(level, node).state === "hidden";
    const firstBehind = level === undefined ? -1 : data.findIndex((node) => isBehindRest(level, node));
    const addRest = (missing: GapRow["missing"]): void => {
      rows.push({ ...common, kind: "gap", key: `gap ${parent.key}`, place, missing });
    };
    data.forEach((node, index) => {
      const isBehind = firstBehind >= 0 && index >= firstBehind;
      if (index === firstBehind) addRest("between");
      if (isHidden(node)) {
        rows.push({ ...common, kind: "gap", key: `gap ${node.id}`, place, missing: node });
        return;
      }
      const { title, emoji } = node;
      const open = node.hasChildren ? isOpen(node.id) : undefined;
      const position = isBehind ? undefined : index + 1;
      add({ ...common, kind: "item", key: node.id, collection, node, title, emoji, isOpen: open, position, setSize });
    });
    if (setSize === -1 && firstBehind < 0) addRest(data.length === 0 ? "level" : "rest");
  };
  const add = (row: ItemRow): void => {
    rows.push(row);
    if (row.isOpen === true) addLevel(row);
  };
  collections.forEach((collection, index) => {
    const { id, name: title, icon: emoji, documentCount } = collection;
    const open =
      documentCount > 0 || levelAt({ collectionId: id, parentId: null })?.data.length ? isOpen(id) : undefined;
    const place = { position: index + 1, setSize: collections.length, level: 1, parentKey: undefined };
    add({ ...place, kind: "item", key: id, collection, node: undefined, title, emoji, isOpen: open });
  });
  return rows;
}

/** Returns the level in which a row stands; undefined for a collection. */
export function placeOf({ node, collection }: ItemRow): LevelPlace | undefined {
  return node && { collectionId: collection.id, parentId: node.parentId };
}

/** Returns the level below a row. */
export function placeBelow({ node, collection }: ItemRow): LevelPlace {
  return { collectionId: collection.id, parentId: node?.id ?? null };
}
