import { readableDocuments } from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import type { ReadContext } from "../operation.ts";
import { Folder, nameRoom, safeName } from "./names.ts";

/** A document that is exported, and its place in the archive. */
export type Entry = {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly path: string;
  /** The document above, where it is exported too. */
  readonly parentId: string | null;
  readonly updatedAt: Date;
  /** How deep it stands; 0 at the top. */
  readonly depth: number;
};

type Row = { id: string; title: string; emoji: string | null; parentDocumentId: string | null; updatedAt: Date };

/** Which documents of a collection an export holds: what the caller sees in its list, drafts as far as they see them. */
export const exported = ({ actor }: ReadContext, collectionId: string): Sql =>
  sql`d."collectionId" = ${collectionId}::uuid AND d."deletedAt" IS NULL AND d."archivedAt" IS NULL
    AND ${readableDocuments(actor)}`;

/**
 * The documents of a collection as files: each beside the folder of its children, which has its name. Without bodies:
 * that is all of an export that is held in memory, some hundred bytes a document.
 */
export async function outlineOf(
  context: ReadContext,
  collectionId: string,
  ending: string,
  reserved: readonly string[],
) {
  const rows = await context.reader.rows<Row>(sql`SELECT d.id, d.title, d.emoji, d."parentDocumentId", d."updatedAt"
    FROM documents d WHERE ${exported(context, collectionId)} ORDER BY d."sortOrder", d."titleKey", d.id`);
  return place(rows, ending, reserved);
}

/** What may not be seen is not there: the children of a parent that is left out stand at the top. */
function place(rows: readonly Row[], ending: string, reserved: readonly string[]): Entry[] {
  const known = new Set(rows.map((row) => row.id));
  const children = Map.groupBy(rows, ({ parentDocumentId: parent }) =>
    parent !== null && known.has(parent) ? parent : null,
  );
  const entries: Entry[] = [];
  // By hand, not by recursion: nobody bounds how deep a tree is.
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
      depth: levels.length - 1,
    });
    const below = children.get(id);
    if (below !== undefined) {
      levels.push({ rows: below, names: new Folder(), folder: `${level.folder}${name}/`, index: 0 });
    }
  }
  return entries;
}
