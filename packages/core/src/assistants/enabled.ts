import type { Actor } from "@kb/auth";
import { type Models, sql } from "@kb/db";
import { ServiceError } from "../errors.ts";
import type { Service } from "../operation.ts";

/**
 * The team's switch for assistants, asked on each of their calls: 1 statement. Gives when it was turned last; what began
 * before that has ended.
 * @throws {ServiceError} `mcp_disabled`
 */
export async function requireMcp(service: Service, actor: Pick<Actor, "teamId">): Promise<Date | null> {
  const [team] = await service.database.rows<{ mcpEnabled: boolean; mcpSwitchedAt: Date | null }>(
    sql`SELECT "mcpEnabled", "mcpSwitchedAt" FROM teams WHERE id = ${actor.teamId}::uuid`,
  );
  if (team?.mcpEnabled === true) return team.mcpSwitchedAt;
  throw new ServiceError("mcp_disabled", "MCP is switched off for this team.");
}

/** Turns the team's switch for assistants: their sessions and streams end with it. */
export async function switchMcp(
  models: Pick<Models, "team">,
  teamId: string,
  enabled: boolean,
  at: Date,
): Promise<void> {
  await models.team.update({ where: { id: teamId }, data: { mcpEnabled: enabled, mcpSwitchedAt: at } });
}
