import { decideCreateCollection } from "@kb/auth";
import { newId, stampChange } from "@kb/db";
import { z } from "zod";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Collection } from "../schema/collection.ts";
import { CollectionName, Color, Description, Icon } from "../schema/text.ts";
import { collectionEvent, presentCollection } from "./row.ts";

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
    const collection = await tx.collection.create({
      data: {
        teamId,
        id,
        name: request.name,
        icon: request.icon ?? null,
        color: request.color ?? null,
        description: request.description ?? null,
        createdById: userId,
        createdAt: stamp.at,
        updatedAt: stamp.at,
      },
    });
    await tx.collectionGrant.create({
      data: { teamId, id: newId(), collectionId: id, userId, level: "manage", createdAt: stamp.at },
    });
    outbox.emit(stamp, [collectionEvent("collection.created", collection, [])]);
    return presentCollection(collection);
  },
});
