import { type Reader, sql } from "@kb/db";
import type { Actor } from "./actor.ts";
import { type ActorRow, actorColumns, actorFrom } from "./actor-row.ts";

/**
 * A user of the team as the service itself sees for them: what a webhook may tell is what its creator may read.
 * Null for one who is gone or suspended.
 */
export async function activeUser(reader: Reader, teamId: string, userId: string): Promise<Actor | null> {
  const [row] = await reader.rows<ActorRow>(sql`SELECT ${actorColumns} FROM users u
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid AND u."suspendedAt" IS NULL`);
  return row === undefined ? null : activeUserOf(row);
}

/** The same, of a row of `actorColumns` that was read with something else. */
export const activeUserOf = (row: ActorRow): Actor =>
  actorFrom(row, { credential: { kind: "system", id: "webhooks", name: "Webhooks" }, scopes: ["read"] });
