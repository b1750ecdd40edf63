import type { Actor, McpSwitch } from "@kb/auth";
import { type Models, sql } from "@kb/db";
import type { Service } from "../context.ts";
import { ServiceError } from "../errors.ts";

/**
 * Requires that MCP is switched on in the caller's team. Runs no statement when the switch was read with the
 * credential. Returns the time of the last change of the switch: sessions that began before it have ended.
 * @throws {ServiceError} `mcp_disabled`
 */
export async function requireMcp(service: Service, actor: Pick<Actor, "teamId" | "mcp">): Promise<Date | null> {
  const team = actor.mcp ?? (await readSwitch(service, actor.teamId));
  if (team?.mcpEnabled === true) return team.mcpSwitchedAt;
  throw new ServiceError("mcp_disabled", "MCP is switched off for this team.");
}

async function readSwitch(service: Service, teamId: string): Promise<McpSwitch | undefined> {
  const [team] = await service.database.rows<McpSwitch>(
    sql`SELECT "mcpEnabled", "mcpSwitchedAt" FROM teams WHERE id = ${teamId}::uuid`,
  );
  return team;
}

/** Sets the team's MCP switch. Sessions and streams that began before the change end. */
export async function switchMcp(
  models: Pick<Models, "team">,
  teamId: string,
  enabled: boolean,
  at: Date,
): Promise<void> {
  await models.team.update({ where: { id: teamId }, data: { mcpEnabled: enabled, mcpSwitchedAt: at } });
}
