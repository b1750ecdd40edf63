import { type Actor, capabilities } from "@kb/auth";
import { ServiceError } from "../errors.ts";
import type { Service } from "../operation.ts";

/**
 * The caller behind the command line and the first start: a user of the team, seen through the credential `system`,
 * which may do everything in that team. Without `userId` it is the team's first admin.
 * @throws {ServiceError} `not_found` when the team has nobody to act for.
 */
export async function systemActor(service: Service, teamId: string, userId?: string): Promise<Actor> {
  const user = await service.database.client.user.findFirst({
    where: { teamId, ...(userId === undefined ? firstAdmin : { id: userId }) },
    orderBy: [{ systemAdmin: "desc" }, { createdAt: "asc" }, { id: "asc" }],
    select: { id: true, name: true, email: true, memberships: { select: { groupId: true } } },
  });
  if (user === null) throw new ServiceError("not_found", "This team has no active admin in whose name this could run.");
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
