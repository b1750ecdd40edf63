import { sql, stampChange } from "@kb/db";
import { z } from "zod";
import { emit } from "../events.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { collectionHappening, lockCollection } from "./row.ts";

/** What everybody in the team may do in a collection, grants aside. */
export const DefaultAccess = z.enum(["none", "read", "write"]);

/** Sets what the whole team may do in a collection. */
export const setDefaultAccess = operation({
  name: "collections.setDefaultAccess",
  summary: "Set what everybody in the team may do in a collection",
  description: "For those who manage the collection. Grants to users and groups stay; the highest counts.",
  scope: "write",
  capability: "collection.edit",
  sessionOnly: true,
  input: z.strictObject({ id: Id, defaultAccess: DefaultAccess }),
  output: z.object({ id: z.uuid(), defaultAccess: DefaultAccess }),
  async run({ tx, actor, now, audit }, { id, defaultAccess }) {
    const { teamId } = actor;
    const collection = await lockCollection(tx, actor, "manage", id);
    const changed = await tx.execute(sql`UPDATE collections SET "defaultAccess" = ${defaultAccess}::access_level
      WHERE "teamId" = ${teamId}::uuid AND id = ${id}::uuid AND "defaultAccess" <> ${defaultAccess}::access_level`);
    if (changed === 0) audit.nothing();
    else {
      const stamp = await stampChange(tx, teamId, now);
      await emit(tx, actor, stamp, [collectionHappening("collection.access_changed", collection, ["defaultAccess"])]);
    }
    return { id, defaultAccess };
  },
});
