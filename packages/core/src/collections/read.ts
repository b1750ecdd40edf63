import { readableCollections } from "@kb/auth";
import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Collection } from "../schema/collection.ts";
import { Id } from "../schema/text.ts";
import { inOrder } from "./in-order.ts";
import { type CollectionRow, collectionColumns, presentCollection, requireCollection } from "./row.ts";

/** Lists the collections that the caller may read. Archived ones are listed only on request. */
export const listCollections = query({
  name: "collections.list",
  summary: "List collections",
  description: "`archived=true` lists archived collections instead.",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({ archived: z.boolean().optional() }),
  output: z.array(Collection),
  async run({ reader, actor }, { archived }) {
    const state = archived === true ? sql`c."archivedAt" IS NOT NULL` : sql`c."archivedAt" IS NULL`;
    const rows = await reader.rows<CollectionRow>(sql`SELECT ${collectionColumns} FROM collections c
      WHERE ${readableCollections(actor)} AND ${state}`);
    return inOrder(rows).map(presentCollection);
  },
});

/** Reads a collection. One that the caller may not read does not exist for them. */
export const getCollection = query({
  name: "collections.get",
  summary: "Get a collection",
  scope: "read",
  capability: "document.read",
  input: z.strictObject({ id: Id }),
  output: Collection,
  async run({ reader, actor }, { id }) {
    return presentCollection(await requireCollection(reader, actor, "read", id));
  },
});
