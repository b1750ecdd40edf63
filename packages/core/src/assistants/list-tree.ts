import { type Actor, readableCollections, readableDocuments, readableIds, readableParents } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { readInOrder } from "../collections/in-order.ts";
import { childrenOf, topLevelOf } from "../documents/tree-node.ts";
import { decodeCursor, encodeCursor } from "../schema/cursor.ts";

/** The most rows of a tree in one answer. */
export const maxTreeRows = 5_000;
/** The most characters of a tree in one answer, which titles of the usual length do not reach. */
const maxTreeChars = 500_000;
/** A longer title is cut. */
const maxTitleChars = 200;
/** The chain of parents always ends at the top; this bounds the damage of a defect. */
const deepest = 100;
/** The place of the documents that are in no collection that the caller may see: after all collections. */
const lastPlace = 2_147_483_647;

/** What a tree shows: everything, one collection, or a document with all below it. */
export type TreeScope = { readonly collectionId?: string | undefined; readonly under?: string | undefined };

/** An indented outline of titles and ids. */
export type TreeText = { readonly tree: string; readonly nextCursor: string | null };

const Place = z.strictObject({ offset: z.int().min(1).max(1_000_000) });

type TreeRow = {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
  readonly draft: boolean;
  readonly collectionId: string | null;
  readonly collectionName: string | null;
};

/**
 * Lists the active documents that the caller may read in the order of the tree: one line each, indented by its depth below the
 * line of its collection. 2 statements, or 1 below a document. Of each level only the rows that could still be shown are read.
 */
export async function listTree(
  reader: Reader,
  actor: Actor,
  scope: TreeScope,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<TreeText> {
  const offset = cursor === undefined ? 0 : decodeCursor(Place, cursor).offset;
  const roots = await rootsOf(reader, actor, scope, offset + limit + 1);
  const rows = await reader.rows<TreeRow>(sql`WITH RECURSIVE tree AS (
      (${roots})
      UNION ALL
      SELECT below.* FROM (SELECT ${nodeOf(sql`t.place`, sql`t.depth + 1`, sql`t.path || ROW(d."sortOrder", d.id)`)}
        FROM tree t CROSS JOIN LATERAL (${childrenIn(actor, offset + limit + 1)}) d WHERE t.depth < ${deepest}::int
        ORDER BY place, path LIMIT ${offset + limit + 1}) below
    ) SELECT t.id, t.title, t.depth, t."publishedAt" IS NULL AS draft, c.id AS "collectionId", c.name AS "collectionName"
    FROM tree t LEFT JOIN collections c ON c.id = t."collectionId" AND ${readableCollections(actor)}
    ORDER BY t.place, t.path LIMIT ${limit + 1} OFFSET ${offset}`);
  const { lines, shown } = linesOf(rows.slice(0, limit), scope.under === undefined);
  return { tree: lines.join("\n"), nextCursor: shown < rows.length ? encodeCursor({ offset: offset + shown }) : null };
}

const nodeOf = (place: Sql, depth: Sql, path: Sql): Sql =>
  sql`d.id, d.title, d."collectionId", d."publishedAt", ${place} AS place, ${depth} AS depth, ${path} AS path`;

const active = (actor: Actor): Sql =>
  sql`d."deletedAt" IS NULL AND d."archivedAt" IS NULL AND ${readableDocuments(actor)}`;

/** Selects the first documents of the top level: of each collection, then those in no collection. */
async function rootsOf(reader: Reader, actor: Actor, { collectionId, under }: TreeScope, limit: number): Promise<Sql> {
  const first = sql`ARRAY[ROW(d."sortOrder", d.id)]`;
  if (under !== undefined) {
    const inCollection = collectionId === undefined ? empty : sql` AND d."collectionId" = ${collectionId}::uuid`;
    return sql`SELECT ${nodeOf(sql`1`, sql`0`, first)} FROM documents d WHERE d.id = ${under}::uuid AND ${active(actor)}${inCollection}`;
  }
  const one = collectionId === undefined ? sql`true` : sql`c.id = ${collectionId}::uuid`;
  const ids = (await readInOrder(reader, actor, one)).map(({ id }) => id);
  const top = topLevelOf(actor, { collectionId: sql`shelf.id` }, { limit });
  const inCollections = sql`SELECT ${nodeOf(sql`shelf.place`, sql`1`, first)} FROM (
      SELECT c.id, o.place::int FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS o (id, place)
      JOIN collections c ON c.id = o.id WHERE ${readableCollections(actor)}) shelf CROSS JOIN LATERAL (${top}) d
    ORDER BY shelf.place, d."sortOrder", d.id LIMIT ${limit}`;
  if (collectionId !== undefined) return inCollections;
  const elsewhere = sql`SELECT ${nodeOf(sql`${lastPlace}::int`, sql`1`, first)} FROM documents d
    WHERE ${active(actor)} AND ${inNoCollection(actor)} AND NOT EXISTS (SELECT 1 FROM documents p WHERE p.id = d."parentDocumentId"
      AND p."deletedAt" IS NULL AND p."archivedAt" IS NULL AND ${readableParents(actor)})
    ORDER BY d."sortOrder", d.id LIMIT ${limit}`;
  return sql`SELECT * FROM ((${inCollections}) UNION ALL (${elsewhere})) d ORDER BY place, path LIMIT ${limit}`;
}

/** Returns the condition that a document is in no collection that the caller may see, as some of a restricted key's. */
function inNoCollection(actor: Actor): Sql {
  if (actor.restrictedKeyId === null) return sql`d."collectionId" IS NULL`;
  return sql`d.id = ANY (${readableIds(actor)})
    AND NOT EXISTS (SELECT 1 FROM collections c WHERE c.id = d."collectionId" AND ${readableCollections(actor)})`;
}

/** Selects the first documents below the document `t`. */
function childrenIn(actor: Actor, limit: number): Sql {
  const inCollection = childrenOf(actor, { collectionId: sql`t."collectionId"` }, sql`t.id`, { limit });
  return sql`(${inCollection}) UNION ALL (SELECT d.* FROM documents d WHERE t."collectionId" IS NULL
    AND d."parentDocumentId" = t.id AND d."collectionId" IS NULL AND ${active(actor)} ORDER BY d."sortOrder", d.id LIMIT ${limit})`;
}

/** Writes the rows as lines, and the number of rows that fit. A collection has a line above its first document. */
function linesOf(rows: readonly TreeRow[], withCollections: boolean): { lines: string[]; shown: number } {
  const lines: string[] = [];
  let chars = 0;
  let collection: string | null = null;
  let shown = 0;
  for (const row of rows) {
    const isNext = withCollections && row.collectionId !== null && row.collectionId !== collection;
    const own = [
      ...(isNext ? [`${cut(row.collectionName ?? "")} (collection ${row.collectionId})`] : []),
      `${"  ".repeat(row.depth)}${cut(row.title)} (${row.draft ? "draft " : ""}${row.id})`,
    ];
    chars += own.reduce((sum, line) => sum + line.length + 1, 0);
    if (chars > maxTreeChars && shown > 0) break;
    lines.push(...own);
    collection = row.collectionId;
    shown += 1;
  }
  return { lines, shown };
}

const cut = (title: string): string =>
  title.length <= maxTitleChars ? title : `${title.slice(0, maxTitleChars - 1).toWellFormed()}…`;
