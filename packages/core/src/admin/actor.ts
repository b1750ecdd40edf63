import { type Actor, capabilities } from "@kb/auth";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";

/**
 * Returns the caller of the command line and the first start: a user of the team with the credential `system`, which
 * may do everything in that team. Without `userId`, it is the first admin of the team.
 * @throws {ServiceError} `not_found` for a team without an active admin.
 */
export async function systemActor(service: Service, teamId: string, userId?: string): Promise<Actor> {
  const user = await service.database.client.user.findFirst({
    where: { teamId, ...(userId === undefined ? firstAdmin : { id: userId }) },
    orderBy: [{ systemAdmin: "desc" }, { createdAt: "asc" }, { id: "asc" }],
    select: { id: true, name: true, email: true, memberships: { select: { groupId: true } } },
  });
  if (user === null) throw new ServiceError("not_found", "This team has no active admin to run this as.");
  return {
    teamId,
    userId: user.id,
    userName: user.name,
    email: user.email,
    systemAdmin: true,
    capabilities: new Set(capabilities),
    groupIds: user.memberships.map((membership) => membership.groupId),
    scopes: new Set(["read", "write", "admin"]),
    credential: { kind: "system", id: "kb", name: "kb command line" },
    restrictedKeyId: null,
  };
}

const firstAdmin = { suspendedAt: null, memberships: { some: { group: { builtIn: "admins" } } } };
