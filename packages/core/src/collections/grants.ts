import { newId, sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import type { WriteContext } from "../context.ts";
import { notFound, ServiceError } from "../errors.ts";
import { operation } from "../operation.ts";
import { Id } from "../schema/text.ts";
import {
  findGrant,
  Grant,
  type GrantRow,
  granteeFields,
  granteeOf,
  namesOne,
  namesOneMessage,
  presentGrant,
} from "./grant.ts";
import { type CollectionRow, collectionEvent, lockCollection } from "./row.ts";

const forManagers = { scope: "write", capability: "collection.edit", sessionOnly: true, freshProof: true } as const;

/** Sets the access of a user or a group to a collection, and replaces an earlier grant. */
export const setGrant = operation({
  name: "collections.grants.set",
  summary: "Grant a user or group access to a collection",
  description:
    "Only for managers of the collection, and for users with write access and the permission `settings.team_edit`. The highest level of the default access and all grants applies.",
  ...forManagers,
  input: z
    .strictObject({ id: Id, ...granteeFields, level: z.enum(["read", "write", "manage"]) })
    .refine(namesOne, namesOneMessage),
  output: Grant,
  async run(context, { id, level, ...named }) {
    const { tx, actor } = context;
    const { teamId } = actor;
    const grantee = granteeOf(named);
    const collection = await lockCollection(tx, actor, "manage", id);
    const before = await findGrant(tx, teamId, id, named);
    if (before?.level === level) {
      context.audit.unchanged();
      return presentGrant(before);
    }
    if (before === null) {
      await lockGrantee(tx, teamId, named);
      await tx.collectionGrant.create({
        data: { teamId, id: newId(), collectionId: id, ...grantee, level, createdAt: context.now },
      });
    } else {
      await tx.collectionGrant.updateMany({ where: { teamId, collectionId: id, ...grantee }, data: { level } });
    }
    await emitAccessChange(context, collection, before);
    const after = await findGrant(tx, teamId, id, named);
    if (after === null) throw new Error("the grant was written");
    return presentGrant(after);
  },
});

/** Removes a grant. Removing one that does not exist succeeds. */
export const removeGrant = operation({
  name: "collections.grants.remove",
  summary: "Remove the access of a user or group to a collection",
  description: "Only for managers of the collection. The last manager cannot be removed. The default access stays.",
  ...forManagers,
  input: z.strictObject({ id: Id, ...granteeFields }).refine(namesOne, namesOneMessage),
  output: z.object({ id: z.uuid(), status: z.literal("removed") }),
  async run(context, { id, ...named }) {
    const { tx, actor } = context;
    const { teamId } = actor;
    const grantee = granteeOf(named);
    const collection = await lockCollection(tx, actor, "manage", id);
    const before = await findGrant(tx, teamId, id, named);
    if (before === null) context.audit.unchanged();
    else {
      await tx.collectionGrant.deleteMany({ where: { teamId, collectionId: id, ...grantee } });
      await emitAccessChange(context, collection, before);
    }
    return { id, status: "removed" as const };
  },
});

type Named = { userId?: string | undefined; groupId?: string | undefined };

/** Locks the grantee against deletion until the grant is written. @throws {ServiceError} `not_found` */
async function lockGrantee(tx: Tx, teamId: string, { userId, groupId }: Named): Promise<void> {
  const rows =
    userId === undefined
      ? await tx.rows(sql`SELECT 1 FROM groups g WHERE g."teamId" = ${teamId}::uuid AND g.id = ${groupId}::uuid
          FOR KEY SHARE`)
      : await tx.rows(sql`SELECT 1 FROM users u WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid
          FOR KEY SHARE`);
  if (rows.length === 0) throw notFound(userId === undefined ? "Group" : "User");
}

/** Emits the event of a changed grant. @throws {ServiceError} `conflict` when no manager would be left. */
async function emitAccessChange(
  context: WriteContext,
  collection: CollectionRow,
  before: GrantRow | null,
): Promise<void> {
  const { tx, outbox, actor, now } = context;
  const { teamId } = actor;
  if (before?.level === "manage") {
    const managers = await tx.collectionGrant.count({
      where: { teamId, collectionId: collection.id, level: "manage" },
    });
    if (managers === 0) {
      throw new ServiceError(
        "conflict",
        "Nobody else manages this collection. Make another user or group a manager first.",
      );
    }
  }
  const stamp = await stampChange(tx, teamId, now);
  outbox.emit(stamp, [collectionEvent("collection.access_changed", collection, ["grants"])]);
}
