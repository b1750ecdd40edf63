import { type Actor, capabilities, knownCapabilities } from "@kb/auth";
import { type Reader, sql } from "@kb/db";
import { z } from "zod";
import { notFound, ServiceError } from "../errors.ts";
import { Timestamp, timestamp } from "../schema/text.ts";

/** The name of a permission that a group may have. */
const CapabilityName = z.enum(capabilities);

/** The permissions of a group, without duplicates. */
export const Capabilities = z.array(CapabilityName).transform((names) => [...new Set(names)]);

/** A group and its permissions. `builtIn` names the four groups that every team has; it is null for custom groups. */
export const Group = z
  .object({
    id: z.uuid(),
    name: z.string(),
    builtIn: z.enum(["admins", "editors", "members", "viewers"]).nullable(),
    capabilities: z.array(CapabilityName),
    memberCount: z.int(),
    createdAt: Timestamp,
  })
  .meta({ id: "Group" });

/** A row of `groupColumns`. */
export type GroupRow = {
  readonly id: string;
  readonly name: string;
  readonly builtIn: "admins" | "editors" | "members" | "viewers" | null;
  readonly capabilities: string[];
  readonly memberCount: number;
  readonly createdAt: Date;
};

/** The select list for `groups g`. Suspended members are not counted. */
export const groupColumns = sql`g.id, g.name, g."builtIn", g.capabilities, g."createdAt",
  (SELECT count(*)::int FROM memberships m JOIN users u ON u."teamId" = m."teamId" AND u.id = m."userId"
    WHERE m."teamId" = g."teamId" AND m."groupId" = g.id AND u."suspendedAt" IS NULL) AS "memberCount"`;

/** Returns the group as the contract shows it. */
export function presentGroup(row: GroupRow): z.input<typeof Group> {
  const { id, name, builtIn, memberCount } = row;
  return {
    id,
    name,
    builtIn,
    memberCount,
    capabilities: knownCapabilities(row.capabilities),
    createdAt: timestamp(row.createdAt),
  };
}

/** Reads a group of the caller's team. @throws {ServiceError} `not_found` */
export async function requireGroup(reader: Reader, actor: Actor, id: string): Promise<GroupRow> {
  const [row] = await reader.rows<GroupRow>(sql`SELECT ${groupColumns} FROM groups g
    WHERE g."teamId" = ${actor.teamId}::uuid AND g.id = ${id}::uuid`);
  if (row === undefined) throw notFound("Group");
  return row;
}

/** Requires that no other group has the name, in any case. @throws {ServiceError} `conflict` */
export async function requireFreeName(reader: Reader, actor: Actor, name: string, except?: string): Promise<void> {
  const taken = await reader.rows<{ id: string }>(sql`SELECT g.id FROM groups g
    WHERE g."teamId" = ${actor.teamId}::uuid AND lower(g.name) = lower(${name})`);
  if (!taken.some((group) => group.id !== except)) return;
  throw new ServiceError("conflict", `A group named "${name}" already exists.`, {
    details: [{ path: "name", message: "Is taken" }],
  });
}
