import { sql, stampChange } from "@kb/db";
import { z } from "zod";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { collectionEvent, lockCollection } from "./row.ts";

/** The access that every member of the team has, apart from grants. */
export const DefaultAccess = z.enum(["none", "read", "write"]);

/** Sets the access that every member of the team has to a collection. */
export const setDefaultAccess = operation({
  name: "collections.setDefaultAccess",
  summary: "Set the default access to a collection",
  description:
    "Only for managers of the collection. Sets the access of every member of the team. Grants to users and groups stay; the highest level applies.",
  scope: "write",
  capability: "collection.edit",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id, defaultAccess: DefaultAccess }),
  output: z.object({ id: z.uuid(), defaultAccess: DefaultAccess }),
  async run({ tx, outbox, actor, now, audit }, { id, defaultAccess }) {
    const { teamId } = actor;
    const collection = await lockCollection(tx, actor, "manage", id);
    const changed = await tx.execute(sql`UPDATE collections SET "defaultAccess" = ${defaultAccess}::access_level
      WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid AND "defaultAccess" <> ${defaultAccess}::access_level`);
    if (changed === 0) audit.unchanged();
    else {
      const stamp = await stampChange(tx, teamId, now);
      outbox.emit(stamp, [collectionEvent("collection.access_changed", collection, ["defaultAccess"])]);
    }
    return { id, defaultAccess };
  },
});
