import type { Actor, McpSwitch } from "@kb/auth";
import { type Models, sql } from "@kb/db";
import { ServiceError } from "../errors.ts";
import type { Service } from "../operation.ts";

/**
 * The team's switch for assistants, asked on each of their calls: no statement where it was read with the credential. Gives
 * when it was turned last; what began before that has ended.
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

/** Turns the team's switch for assistants: their sessions and streams end with it. */
export async function switchMcp(
  models: Pick<Models, "team">,
  teamId: string,
  enabled: boolean,
  at: Date,
): Promise<void> {
  await models.team.update({ where: { id: teamId }, data: { mcpEnabled: enabled, mcpSwitchedAt: at } });
}
