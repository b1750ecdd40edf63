import type { Actor } from "@kb/auth";
import { ServiceError } from "../errors.ts";
import type { Service } from "../operation.ts";

/**
 * The team's switch for assistants, asked on each of their calls: 1 statement.
 * @throws {ServiceError} `mcp_disabled`
 */
export async function requireMcp(service: Service, actor: Actor): Promise<void> {
  const team = await service.database.client.team.findUnique({
    where: { id: actor.teamId },
    select: { mcpEnabled: true },
  });
  if (team?.mcpEnabled === true) return;
  throw new ServiceError("mcp_disabled", "MCP is switched off for this team.");
}
