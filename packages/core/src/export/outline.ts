import { readableDocuments } from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import type { ReadContext } from "../context.ts";
import { Folder, nameRoom, safeName } from "./names.ts";

/** An exported document and its place in the archive. */
export type Entry = {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly path: string;
  /** The parent, if it is exported too. */
  readonly parentId: string | null;
  readonly updatedAt: Date;
  /** The depth in the archive; 0 at the top, at most `maxDepth`. */
  readonly depth: number;
};

/** The number of folders inside each other: without it, the paths of a chain would take a time with its square. */
export const maxDepth = 100;

/** The number of ancestors that a page names: deep in a chain, the addresses of a hundred would be most of each page. */
export const maxNamed = 10;

type Row = { id: string; title: string; emoji: string | null; parentDocumentId: string | null; updatedAt: Date };

/** Returns the condition for the documents of an export: those that the caller sees in the list of the collection. */
export const isExported = ({ actor }: ReadContext, collectionId: string): Sql =>
  sql`d."collectionId" = ${collectionId}::uuid AND d."deletedAt" IS NULL AND d."archivedAt" IS NULL
    AND ${readableDocuments(actor)}`;

/**
 * Reads the documents of a collection without bodies and assigns each a path, beside the folder of its children. Only
 * these rows are held in memory: a few hundred bytes per document.
 */
export async function outlineOf(
  context: ReadContext,
  collectionId: string,
  ending: string,
  reserved: readonly string[],
) {
  const rows = await context.reader.rows<Row>(sql`SELECT d.id, d.title, d.emoji, d."parentDocumentId", d."updatedAt"
    FROM documents d WHERE ${isExported(context, collectionId)} ORDER BY d."sortOrder", d."titleKey", d.id`);
  return placeDocuments(rows, ending, reserved);
}

/**
 * Assigns each row its place. Children of a parent that is not exported move to the top, and those of a parent in the deepest
 * folder to that folder.
 */
export function placeDocuments(rows: readonly Row[], ending: string, reserved: readonly string[]): Entry[] {
  const known = new Set(rows.map((row) => row.id));
  const children = Map.groupBy(rows, ({ parentDocumentId: parent }) =>
    parent !== null && known.has(parent) ? parent : null,
  );
  const entries: Entry[] = [];
  // Uses an explicit stack, because nothing limits the depth of a tree.
  type Level = { readonly rows: readonly Row[]; readonly names: Folder; readonly folder: string; index: number };
  const levels: Level[] = [{ rows: children.get(null) ?? [], names: new Folder(reserved), folder: "", index: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const row = level.rows[level.index];
    if (row === undefined) {
      levels.pop();
      continue;
    }
    level.index += 1;
    const { id, title, emoji, updatedAt } = row;
    const name = level.names.take(safeName(title, nameRoom(level.folder)), ending);
    const parentId = known.has(row.parentDocumentId ?? "") ? row.parentDocumentId : null;
    entries.push({
      id,
      title,
      emoji,
      parentId,
      updatedAt,
      path: `${level.folder}${name}${ending}`,
      depth: Math.min(levels.length - 1, maxDepth),
    });
    const below = children.get(id);
    if (below === undefined) continue;
    if (levels.length > maxDepth) {
      levels.push({ ...level, rows: below, index: 0 });
    } else {
      levels.push({ rows: below, names: new Folder(), folder: `${level.folder}${name}/`, index: 0 });
    }
  }
  return entries;
}

/** Returns the nearest exported documents above one, at most `maxNamed`, the highest first. */
export function ancestorsOf({ parentId }: Entry, byId: ReadonlyMap<string, Entry>): Entry[] {
  const above: Entry[] = [];
  for (let entry = byId.get(parentId ?? ""); entry !== undefined && above.length < maxNamed; ) {
    above.push(entry);
    entry = byId.get(entry.parentId ?? "");
  }
  return above.reverse();
}
