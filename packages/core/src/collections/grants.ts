import { newId, sql, stampChange, type Tx } from "@kb/db";
import { z } from "zod";
import { notFound, ServiceError } from "../errors.ts";
import { emit } from "../events.ts";
import { operation, type WriteContext } from "../operation.ts";
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
import { type CollectionRow, collectionHappening, lockCollection } from "./row.ts";

const forManagers = { scope: "write", capability: "collection.edit", sessionOnly: true } as const;

/** Gives a user or a group access to a collection, in place of what they were given before. */
export const setGrant = operation({
  name: "collections.grants.set",
  summary: "Give a user or a group access to a collection",
  description:
    "For those who manage the collection, and for who holds `settings.team_edit` and may write there. The highest of the team's default and all grants counts.",
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
      context.audit.nothing();
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
    await finish(context, collection, before);
    const after = await findGrant(tx, teamId, id, named);
    if (after === null) throw new Error("the grant was written");
    return presentGrant(after);
  },
});

/** Takes a grant back. What was not granted is taken back already. */
export const removeGrant = operation({
  name: "collections.grants.remove",
  summary: "Take back the access that a user or a group was given",
  description: "For those who manage the collection; its last manager stays. The team's default is not touched.",
  ...forManagers,
  input: z.strictObject({ id: Id, ...granteeFields }).refine(namesOne, namesOneMessage),
  output: z.object({ id: z.uuid(), status: z.literal("removed") }),
  async run(context, { id, ...named }) {
    const { tx, actor } = context;
    const { teamId } = actor;
    const grantee = granteeOf(named);
    const collection = await lockCollection(tx, actor, "manage", id);
    const before = await findGrant(tx, teamId, id, named);
    if (before === null) context.audit.nothing();
    else {
      await tx.collectionGrant.deleteMany({ where: { teamId, collectionId: id, ...grantee } });
      await finish(context, collection, before);
    }
    return { id, status: "removed" as const };
  },
});

type Named = { userId?: string | undefined; groupId?: string | undefined };

/** Keeps whom a grant names from being deleted until it is there. @throws {ServiceError} `not_found` */
async function lockGrantee(tx: Tx, teamId: string, { userId, groupId }: Named): Promise<void> {
  const rows =
    userId === undefined
      ? await tx.rows(sql`SELECT 1 FROM groups g WHERE g."teamId" = ${teamId}::uuid AND g.id = ${groupId}::uuid
          FOR KEY SHARE`)
      : await tx.rows(sql`SELECT 1 FROM users u WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid
          FOR KEY SHARE`);
  if (rows.length === 0) throw notFound(userId === undefined ? "Group" : "User");
}

/** @throws {ServiceError} `conflict` when nobody would be left who could ever change the access again. */
async function finish(context: WriteContext, collection: CollectionRow, before: GrantRow | null): Promise<void> {
  const { tx, actor, now } = context;
  const { teamId } = actor;
  if (before?.level === "manage") {
    const managers = await tx.collectionGrant.count({
      where: { teamId, collectionId: collection.id, level: "manage" },
    });
    if (managers === 0) {
      throw new ServiceError("conflict", "Nobody else manages this collection: let somebody else manage it first.");
    }
  }
  const stamp = await stampChange(tx, teamId, now);
  await emit(tx, actor, stamp, [collectionHappening("collection.access_changed", collection, ["grants"])]);
}
