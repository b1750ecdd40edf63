import { type Actor, type ActorRow, actorColumns, actorFrom, capabilities } from "@kb/auth";
import { sql } from "@kb/db";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";

const isActiveAdmin = sql`u."suspendedAt" IS NULL AND EXISTS (
  SELECT FROM memberships m JOIN groups g ON g."teamId" = m."teamId" AND g.id = m."groupId"
  WHERE m."teamId" = u."teamId" AND m."userId" = u.id AND g."builtIn" = 'admins')`;

/**
 * Returns the caller of the command line and the first start: a user of the team with the credential `system`, which
 * may do everything in that team. Without `userId`, it is the first admin of the team.
 * @throws {ServiceError} `not_found` for a team without an active admin.
 */
export async function systemActor(service: Service, teamId: string, userId?: string): Promise<Actor> {
  const [user] = await service.database.rows<ActorRow>(sql`SELECT ${actorColumns} FROM users u
    WHERE u."teamId" = ${teamId} AND ${userId === undefined ? isActiveAdmin : sql`u.id = ${userId}`}
    ORDER BY u."systemAdmin" DESC, u."createdAt", u.id LIMIT 1`);
  if (user === undefined) throw new ServiceError("not_found", "This team has no active admin to run this as.");
  const credential = { kind: "system", id: "kb", name: "kb command line" } as const;
  const acting = actorFrom(user, { credential, scopes: ["read", "write", "admin"] });
  return { ...acting, systemAdmin: true, capabilities: new Set(capabilities) };
}
