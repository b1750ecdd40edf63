import type { Actor } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";

/** A user of the team, as user managers see them. */
export const TeamUser = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.email(),
    groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
    systemAdmin: z.boolean(),
    hasSecondFactor: z.boolean(),
    suspendedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "TeamUser" });

/** A row of `userColumns`. */
export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly groups: { readonly id: string; readonly name: string }[];
  readonly capabilities: readonly string[];
  readonly systemAdmin: boolean;
  readonly hasSecondFactor: boolean;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The select list for `users u`. */
export const userColumns = sql`u.id, u.name, u.email, u."systemAdmin", u."suspendedAt", u."createdAt", u."updatedAt",
  EXISTS (SELECT 1 FROM second_factors f WHERE f."teamId" = u."teamId" AND f."userId" = u.id) AS "hasSecondFactor",
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY lower(g.name), g.id)
    FROM memberships m JOIN groups g ON g."teamId" = m."teamId" AND g.id = m."groupId"
    WHERE m."teamId" = u."teamId" AND m."userId" = u.id), '[]') AS groups,
  ARRAY(SELECT DISTINCT unnest(g.capabilities) FROM memberships m
    JOIN groups g ON g."teamId" = m."teamId" AND g.id = m."groupId"
    WHERE m."teamId" = u."teamId" AND m."userId" = u.id) AS capabilities`;

/** Returns the user as the contract shows them. */
export function presentUser(row: UserRow): z.input<typeof TeamUser> {
  const { id, name, email, groups, systemAdmin, hasSecondFactor } = row;
  return {
    id,
    name,
    email,
    groups,
    systemAdmin,
    hasSecondFactor,
    suspendedAt: timestampOrNull(row.suspendedAt),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  };
}

/** Reads a user of the caller's team. @throws {ServiceError} `not_found` */
export async function requireUser(reader: Reader, actor: Actor, id: string): Promise<UserRow> {
  const [row] = await reader.rows<UserRow>(sql`SELECT ${userColumns} FROM users u
    WHERE u."teamId" = ${actor.teamId}::uuid AND u.id = ${id}::uuid`);
  if (row === undefined) throw notFound("User");
  return row;
}
