import { sql, stampChange, stampMoment } from "@kb/db";
import { z } from "zod";
import { collectionEvent } from "../collections/row.ts";
import { ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import { lockAuthority, requireMayGrant } from "../users/authority.ts";
import { requireGroup } from "./group.ts";

/** Deletes a custom group. Its members lose its permissions and its access to collections. */
export const deleteGroup = operation({
  name: "groups.delete",
  summary: "Delete a group",
  description: "Its members lose its permissions and its access to collections and restricted tags.",
  scope: "write",
  capability: "settings.groups",
  sessionOnly: true,
  freshProof: true,
  input: z.strictObject({ id: Id }),
  output: z.object({ id: z.uuid(), status: z.literal("deleted") }),
  async run(context, { id }) {
    const { tx, outbox, actor, now } = context;
    const { teamId } = actor;
    const authority = await lockAuthority(context, "settings.groups");
    // A concurrent grant to the group is either written before this lock or finds the group gone.
    await tx.rows(sql`SELECT 1 FROM groups g WHERE g."teamId" = ${teamId}::uuid AND g.id = ${id}::uuid FOR UPDATE`);
    const group = await requireGroup(tx, actor, id);
    if (group.builtIn !== null) throw new ServiceError("conflict", "A built-in group cannot be deleted.");
    requireMayGrant(authority, group.capabilities);
    const opened = await tx.rows<{ id: string; name: string }>(sql`SELECT c.id, c.name FROM collections c
      JOIN collection_grants g ON g."teamId" = c."teamId" AND g."collectionId" = c.id
      WHERE c."teamId" = ${teamId}::uuid AND g."groupId" = ${id}::uuid AND c."deletedAt" IS NULL ORDER BY c.id`);
    await tx.group.delete({ where: { teamId_id: { teamId, id } } });
    const events = opened.map((collection) => collectionEvent("collection.access_changed", collection, ["grants"]));
    if (events.length > 0) outbox.emit(await stampChange(tx, teamId, now, events.length), events);
    else await stampMoment(tx, teamId, now);
    return { id, status: "deleted" as const };
  },
});
