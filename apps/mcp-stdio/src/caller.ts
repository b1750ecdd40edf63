import { type Actor, authenticateApiKey } from "@kb/auth";
import { requireMcp, type Service, ServiceError } from "@kb/core";

/**
 * Who calls: asked anew on each call, so that a key revoked, a user suspended or MCP switched off ends it at once.
 * @throws {ServiceError} `invalid_api_key` or `mcp_disabled`
 */
export async function callerOf(service: Service, key: string): Promise<Actor> {
  const actor = await authenticateApiKey(service.database, key, service.clock.now());
  if (actor === null) throw new ServiceError("invalid_api_key", "The API key in SVC_API_KEY is not valid.");
  await requireMcp(service, actor);
  return actor;
}
