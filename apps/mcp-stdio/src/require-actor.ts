import { type Actor, authenticateApiKey } from "@kb/auth";
import { requireMcp, type Service, ServiceError } from "@kb/core";

/**
 * Returns the actor of the key. Called for each tool call, so that a revoked key, a suspended user or a switched-off MCP
 * takes effect at once.
 * @throws {ServiceError} `invalid_api_key` or `mcp_disabled`
 */
export async function requireActor(service: Service, key: string): Promise<Actor> {
  const actor = await authenticateApiKey(service.database, key, service.clock.now());
  if (actor === null) throw new ServiceError("invalid_api_key", "The API key in SVC_API_KEY is not valid.");
  await requireMcp(service, actor);
  return actor;
}
