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
import { invalid, ServiceError } from "../errors.ts";
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

/** The most names in an error. */
const maxNames = 50;

type Named = { readonly id: string; readonly name: string };

/**
 * Finds the one collection with a name, in any case if no other has it in this case. 1 statement, which also reads the names
 * that an error lists: only those of collections that the caller may read.
 */
export const findCollectionForAssistants = query({
  name: "assistants.collection",
  summary: "Find a collection by its name",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({ name: Text }),
  output: z.object({ id: z.uuid() }),
  async run({ reader, actor }, { name }) {
    const wanted = name.trim();
    const exact = sql`c.name = ${wanted}`;
    const similar = sql`lower(c.name) = lower(${wanted})`;
    const rows = await reader.rows<
      Named & { exact: boolean; similar: boolean }
    >(sql`SELECT c.id, c.name, ${exact} AS exact, ${similar} AS similar
      FROM collections c WHERE ${readableCollections(actor)} AND c."archivedAt" IS NULL
      ORDER BY ${exact} DESC, ${similar} DESC, c."sortOrder", lower(c.name), c.id LIMIT ${maxNames + 1}`);
    const same = rows.filter((row) => row.exact);
    const found = same.length > 0 ? same : rows.filter((row) => row.similar);
    const [first, second] = found;
    if (first !== undefined && second === undefined) return { id: first.id };
    throw first === undefined ? absent(wanted, rows) : ambiguous(wanted, found);
  },
});

function absent(name: string, rows: readonly Named[]): ServiceError {
  const names = rows.slice(0, maxNames).map((row) => `"${row.name}"`);
  const more = rows.length > maxNames ? ", and more" : "";
  const others = names.length === 0 ? "You may read none" : `You may read ${names.join(", ")}${more}`;
  const message = `No collection is called "${name}". ${others}.`;
  return new ServiceError("not_found", message, { details: [{ path: "collection", message }] });
}

function ambiguous(name: string, rows: readonly Named[]): ServiceError {
  const ids = rows.slice(0, maxNames).map(({ id }) => id);
  return invalid("collection", `Several collections are called "${name}". Their ids are ${ids.join(", ")}`);
}

/** Tells whether the caller may create documents in the collection; also checks the scope of the credential. */
function mayWrite(actor: Actor, row: Row): boolean {
  return carries(actor, "write") && decideCollection(actor, "createDocument", row) === "allow";
}

function afterCursor(cursor: string | undefined): Sql {
  if (cursor === undefined) return empty;
  const { sortOrder, key, id } = decodeCursor(Place, cursor);
  return sql` AND (c."sortOrder", lower(c.name), c.id) > (${sortOrder}::float8, ${key}, ${id}::uuid)`;
}
