import { stampChange } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Collection } from "../schema/collection.ts";
import { CollectionName, Color, Description, Icon, Id } from "../schema/text.ts";
import { collectionEvent, lockCollection, presentCollection } from "./row.ts";

const fields = ["name", "icon", "color", "description"] as const;

/** Changes the name or appearance of a collection; null clears a field. A change without effect leaves no trace. */
export const updateCollection = operation({
  name: "collections.update",
  summary: "Update a collection",
  scope: "write",
  capability: "collection.edit",
  input: z.strictObject({
    id: Id,
    name: CollectionName.optional(),
    icon: Icon.nullable().optional(),
    color: Color.nullable().optional(),
    description: Description.nullable().optional(),
  }),
  output: Collection,
  async run({ tx, outbox, actor, now, audit }, request) {
    const before = await lockCollection(tx, actor, "edit", request.id);
    const changed = fields.filter((field) => request[field] !== undefined && request[field] !== before[field]);
    if (changed.length === 0) {
      audit.unchanged();
      return presentCollection(before);
    }
    const stamp = await stampChange(tx, actor.teamId, now);
    const after = await tx.collection.update({
      where: { teamId_id: { teamId: actor.teamId, id: request.id } },
      data: { ...Object.fromEntries(changed.map((field) => [field, request[field]])), updatedAt: stamp.at },
    });
    outbox.emit(stamp, [collectionEvent("collection.updated", after, changed)]);
    return presentCollection(after);
  },
});
