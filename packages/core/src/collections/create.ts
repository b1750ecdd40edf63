import { decideCreateCollection } from "@kb/auth";
import { newId, sql, stampChange } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Collection } from "../schema/collection.ts";
import { CollectionName, Color, Description, Icon } from "../schema/text.ts";
import { type CollectionRow, collectionColumns, collectionEvent, presentCollection } from "./row.ts";

/** Creates a collection that the whole team may write in. Its creator manages it. */
export const createCollection = operation({
  name: "collections.create",
  summary: "Create a collection",
  scope: "write",
  capability: "collection.create",
  input: z.strictObject({
    name: CollectionName,
    icon: Icon.nullish(),
    color: Color.nullish(),
    description: Description.nullish(),
  }),
  output: Collection,
  async run({ tx, outbox, actor, now }, request) {
    if (decideCreateCollection(actor) !== "allow") {
      throw new ServiceError("forbidden", "A restricted key cannot create collections.");
    }
    const { teamId, userId } = actor;
    const id = newId();
    const stamp = await stampChange(tx, teamId, now);
    const { name, icon, color, description } = request;
    const [collection] = await tx.rows<CollectionRow>(sql`INSERT INTO collections AS c
        ("teamId", id, name, icon, color, description, "createdById", "createdAt", "updatedAt")
      VALUES (${teamId}::uuid, ${id}::uuid, ${name}, ${icon}, ${color}, ${description}, ${userId}::uuid, ${stamp.at}, ${stamp.at})
      RETURNING ${collectionColumns}`);
    if (collection === undefined) throw new Error("the collection was not inserted");
    await tx.execute(sql`INSERT INTO collection_grants ("teamId", id, "collectionId", "userId", level, "createdAt")
      VALUES (${teamId}::uuid, ${newId()}::uuid, ${id}::uuid, ${userId}::uuid, 'manage', ${stamp.at})`);
    outbox.emit(stamp, [collectionEvent("collection.created", collection, [])]);
    return presentCollection(collection);
  },
});
