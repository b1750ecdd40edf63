import { type Reader, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { type ActorRow, actorColumns, actorFrom, type CredentialFacts } from "./actor-row.ts";

const ofWebhooks: CredentialFacts = {
  credential: { kind: "system", id: "webhooks", name: "Webhooks" },
  scopes: ["read"],
};

/**
 * Returns a user of the team as a caller through the service itself: a webhook may tell what its creator may read, and an
 * import may write what its user may write. Null for a deleted or suspended user.
 */
export async function activeUser(
  reader: Reader,
  teamId: string,
  userId: string,
  facts: CredentialFacts = ofWebhooks,
): Promise<Actor | null> {
  const [row] = await reader.rows<ActorRow>(sql`SELECT ${actorColumns} FROM users u
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid AND u."suspendedAt" IS NULL`);
  return row === undefined ? null : actorFrom(row, facts);
}

/** Returns the same caller from a row of `actorColumns`. */
export const activeUserOf = (row: ActorRow): Actor => actorFrom(row, ofWebhooks);
