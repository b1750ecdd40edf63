import {
  type Actor,
  carries,
  collectionLevel,
  decideCollection,
  keyCollectionLevel,
  type Level,
  readableCollections,
} from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { documentCountOf } from "../collections/document-count.ts";
import { compareCollections, type Ordered, readInOrder } from "../collections/in-order.ts";
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
  level: Level;
  keyLevel: Level | null;
};

const Place = z.strictObject({ sortOrder: z.number(), name: z.string(), id: z.uuid() });
const active = sql`c."archivedAt" IS NULL`;

/** Lists a page of the active collections that the caller may read, with their document counts. 2 statements. */
export const listCollectionsForAssistants = query({
  name: "assistants.collections",
  summary: "List collections with their document counts",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({ id: Id.optional(), limit: Limit, cursor: Text.optional() }),
  output: z.object({ collections: z.array(Entry), nextCursor: z.string().nullable() }),
  async run({ reader, actor }, { id, limit, cursor }) {
    const known = await readInOrder(reader, actor, id === undefined ? active : sql`${active} AND c.id = ${id}::uuid`);
    const place = cursor === undefined ? undefined : decodeCursor(Place, cursor);
    const behind = place === undefined ? known : known.filter((one) => compareCollections(one, place) > 0);
    const page = behind.slice(0, limit);
    const last = behind.length > limit ? page.at(-1) : undefined;
    return {
      collections: await entries(reader, actor, page),
      nextCursor: last === undefined ? null : encodeCursor({ sortOrder: last.sortOrder, name: last.name, id: last.id }),
    };
  },
});

/** Reads the entries of a page of collections, in its order. One that has left the caller's sight meanwhile is left out. */
async function entries(reader: Reader, actor: Actor, page: readonly Ordered[]): Promise<z.input<typeof Entry>[]> {
  if (page.length === 0) return [];
  const rows = await reader.rows<Row>(sql`SELECT c.id, c.name, c.description,
      ${collectionLevel(actor, "c")} AS level, ${keyCollectionLevel(actor)} AS "keyLevel", ${documentCountOf(actor)} AS "documentCount"
    FROM collections c WHERE ${readableCollections(actor)} AND ${active} AND c.id = ANY(${page.map(({ id }) => id)}::uuid[])`);
  const byId = new Map(rows.map((row) => [row.id, { ...row, canWrite: mayWrite(actor, row) }]));
  return page.flatMap(({ id }) => byId.get(id) ?? []);
}

/** The most names in an error. */
const maxNames = 50;

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
    const known = await readInOrder(reader, actor, active);
    const same = known.filter((row) => row.name === wanted);
    const found = same.length > 0 ? same : known.filter((row) => row.name.toLowerCase() === wanted.toLowerCase());
    const [first, second] = found;
    if (first !== undefined && second === undefined) return { id: first.id };
    throw first === undefined ? absent(wanted, known) : ambiguous(wanted, found);
  },
});

function absent(name: string, rows: readonly Ordered[]): ServiceError {
  const names = rows.slice(0, maxNames).map((row) => `"${row.name}"`);
  const more = rows.length > maxNames ? ", and more" : "";
  const others = names.length === 0 ? "You may read none" : `You may read ${names.join(", ")}${more}`;
  const message = `No collection is called "${name}". ${others}.`;
  return new ServiceError("not_found", message, { details: [{ path: "collection", message }] });
}

function ambiguous(name: string, rows: readonly Ordered[]): ServiceError {
  const ids = rows.slice(0, maxNames).map(({ id }) => id);
  return invalid("collection", `Several collections are called "${name}". Their ids are ${ids.join(", ")}`);
}

/** Tells whether the caller may create documents in the collection; also checks the scope of the credential. */
function mayWrite(actor: Actor, row: Row): boolean {
  return carries(actor, "write") && decideCollection(actor, "createDocument", row) === "allow";
}
