import type { Level } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { Id } from "../schema/text.ts";

/** A user or a group that holds a grant. */
export const Grantee = z.object({ type: z.enum(["user", "group"]), id: z.uuid(), name: z.string() });

/** The access of a user or a group to a collection. */
export const Grant = z
  .object({ grantee: Grantee, level: z.enum(["read", "write", "manage"]) })
  .meta({ id: "CollectionGrant" });

/** The input fields that name a grantee: exactly one must be set. */
export const granteeFields = { userId: Id.optional(), groupId: Id.optional() };

type Named = { readonly userId?: string | undefined; readonly groupId?: string | undefined };

/** Tells whether exactly one of the two is set. */
export const namesOne = ({ userId, groupId }: Named): boolean => (userId === undefined) !== (groupId === undefined);
/** The message for an input that names neither or both. */
export const namesOneMessage = "Name either a `userId` or a `groupId`";

/** Returns the grantee in the form in which grants are stored. */
export function granteeOf({ userId, groupId }: Named): { userId: string } | { groupId: string } {
  if (userId !== undefined) return { userId };
  if (groupId !== undefined) return { groupId };
  throw new Error("the input's schema requires one of the two");
}

/** A row of `grantsOf`. */
export type GrantRow = { type: "user" | "group"; granteeId: string; name: string; level: Level };

/** The grants of a collection with the names of the grantees, as a relation `r`. */
export const grantsOf = (teamId: string, collectionId: string) => sql`(
  SELECT CASE WHEN g."userId" IS NULL THEN 'group' ELSE 'user' END AS type, COALESCE(g."userId", g."groupId") AS "granteeId",
    COALESCE(u.name, o.name) AS name, g.level
  FROM collection_grants g
  LEFT JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId"
  LEFT JOIN groups o ON o."teamId" = g."teamId" AND o.id = g."groupId"
  WHERE g."teamId" = ${teamId}::uuid AND g."collectionId" = ${collectionId}::uuid) r`;

/** Returns the grant as the contract shows it. */
export function presentGrant({ type, granteeId, name, level }: GrantRow): z.input<typeof Grant> {
  if (level === "none") throw new Error("a grant without access is not stored");
  return { grantee: { type, id: granteeId, name }, level };
}

/** Returns one stored grant, or null. */
export async function findGrant(
  reader: Reader,
  teamId: string,
  collectionId: string,
  { userId, groupId }: Named,
): Promise<GrantRow | null> {
  const [row] = await reader.rows<GrantRow>(sql`SELECT r.* FROM ${grantsOf(teamId, collectionId)}
    WHERE r.type = ${userId === undefined ? "group" : "user"} AND r."granteeId" = ${userId ?? groupId}::uuid`);
  return row ?? null;
}
