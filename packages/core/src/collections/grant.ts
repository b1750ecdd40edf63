import type { Level } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { Id } from "../schema/text.ts";

/** A user or a group that is given something. */
export const Grantee = z.object({ type: z.enum(["user", "group"]), id: z.uuid(), name: z.string() });

/** What a collection gives to a user or a group. */
export const Grant = z
  .object({ grantee: Grantee, level: z.enum(["read", "write", "manage"]) })
  .meta({ id: "CollectionGrant" });

/** How a request names whom it means: exactly one of the two. */
export const granteeFields = { userId: Id.optional(), groupId: Id.optional() };

type Named = { readonly userId?: string | undefined; readonly groupId?: string | undefined };

/** Whether exactly one is named. */
export const namesOne = ({ userId, groupId }: Named): boolean => (userId === undefined) !== (groupId === undefined);
export const namesOneMessage = "Name either a `userId` or a `groupId`";

/** Whom a request names, as the stored grants name them. */
export function granteeOf({ userId, groupId }: Named): { userId: string } | { groupId: string } {
  if (userId !== undefined) return { userId };
  if (groupId !== undefined) return { groupId };
  throw new Error("the input's schema asks for one of the two");
}

export type GrantRow = { type: "user" | "group"; granteeId: string; name: string; level: Level };

/** The grants of a collection with the names of whom they are to, as one relation `r`. */
export const grantsOf = (teamId: string, collectionId: string) => sql`(
  SELECT CASE WHEN g."userId" IS NULL THEN 'group' ELSE 'user' END AS type, COALESCE(g."userId", g."groupId") AS "granteeId",
    COALESCE(u.name, o.name) AS name, g.level
  FROM collection_grants g
  LEFT JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId"
  LEFT JOIN groups o ON o."teamId" = g."teamId" AND o.id = g."groupId"
  WHERE g."teamId" = ${teamId}::uuid AND g."collectionId" = ${collectionId}::uuid) r`;

export function presentGrant({ type, granteeId, name, level }: GrantRow): z.input<typeof Grant> {
  if (level === "none") throw new Error("a grant of nothing is stored nowhere");
  return { grantee: { type, id: granteeId, name }, level };
}

/** One grant as it is stored, or null. */
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
