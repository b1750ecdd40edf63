import {
  type Actor,
  carries,
  collectionLevel,
  decideCollection,
  keyCollectionLevel,
  type Level,
  readableCollections,
} from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { documentCountOf } from "../collections/document-count.ts";
import { query } from "../operation.ts";
import { decodeCursor, encodeCursor } from "../schema/cursor.ts";
import { Limit } from "../schema/paging.ts";
import { Id, Text } from "../schema/text.ts";

const Entry = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  documentCount: z.int(),
  canWrite: z.boolean(),
});

type Row = {
  id: string;
  name: string;
  description: string | null;
  documentCount: number;
  sortOrder: number;
  key: string;
  level: Level;
  keyLevel: Level | null;
};

const Place = z.strictObject({ sortOrder: z.number(), key: z.string(), id: z.uuid() });

/** Lists a page of the active collections that the caller may read, with their document counts. 1 statement. */
export const listCollectionsForAssistants = query({
  name: "assistants.collections",
  summary: "List collections with their document counts",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({ id: Id.optional(), limit: Limit, cursor: Text.optional() }),
  output: z.object({ collections: z.array(Entry), nextCursor: z.string().nullable() }),
  async run({ reader, actor }, { id, limit, cursor }) {
    const one = id === undefined ? empty : sql` AND c.id = ${id}::uuid`;
    const rows = await reader.rows<Row>(sql`SELECT c.id, c.name, c.description, c."sortOrder", lower(c.name) AS key,
        ${collectionLevel(actor, "c")} AS level, ${keyCollectionLevel(actor)} AS "keyLevel", ${documentCountOf(actor)} AS "documentCount"
      FROM collections c WHERE ${readableCollections(actor)} AND c."archivedAt" IS NULL${one}${afterCursor(cursor)}
      ORDER BY c."sortOrder", lower(c.name), c.id LIMIT ${limit + 1}`);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      collections: shown.map((row) => ({ ...row, canWrite: mayWrite(actor, row) })),
      nextCursor: last === undefined ? null : encodeCursor({ sortOrder: last.sortOrder, key: last.key, id: last.id }),
    };
  },
});

/** Tells whether the caller may create documents in the collection; also checks the scope of the credential. */
function mayWrite(actor: Actor, row: Row): boolean {
  return carries(actor, "write") && decideCollection(actor, "createDocument", row) === "allow";
}

function afterCursor(cursor: string | undefined): Sql {
  if (cursor === undefined) return empty;
  const { sortOrder, key, id } = decodeCursor(Place, cursor);
  return sql` AND (c."sortOrder", lower(c.name), c.id) > (${sortOrder}::float8, ${key}, ${id}::uuid)`;
}
