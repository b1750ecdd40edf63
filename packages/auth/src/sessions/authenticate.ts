import { type Database, sql } from "@kb/db";
import type { Actor } from "../actor.ts";
import { type ActorRow, actorColumns, actorFrom } from "../actor-row.ts";
import { hashToken } from "../api-key.ts";
import { sessionExpiry } from "./store.ts";
import { isSessionToken } from "./token.ts";

type SessionRow = ActorRow & { readonly id: string; readonly lastSeenAt: Date };

/** A session's last use, from which its end is counted, is written at most this often. */
const lastSeenEveryMs = 60_000;

/**
 * Finds who is logged in: one indexed look-up by the token's hash, none for a text that cannot be a token.
 * Gives null for an unknown, ended or expired session and for a suspended user, without telling which.
 * A session carries every scope: what its user may do is the limit.
 */
export async function authenticateSession(database: Database, token: string, now: Date): Promise<Actor | null> {
  if (!isSessionToken(token)) return null;
  // The team is not known yet: the session's hash names it.
  const [row] = await database.beforeTeam.rows<SessionRow>(sql`
    SELECT s.id, s."lastSeenAt", ${actorColumns}
    FROM browser_sessions s JOIN users u ON u."teamId" = s."teamId" AND u.id = s."userId"
    WHERE s.hash = ${hashToken(token)} AND s."expiresAt" > ${now} AND u."suspendedAt" IS NULL`);
  if (row === undefined) return null;
  if (now.getTime() - row.lastSeenAt.getTime() >= lastSeenEveryMs) await noteUse(database, row, now);
  const credential = { kind: "session", id: row.id, name: "Browser" } as const;
  return actorFrom(row, { credential, scopes: ["read", "write", "admin"] });
}

/** The condition makes one write of many that race; a session that ended meanwhile stays ended. */
async function noteUse(database: Database, session: SessionRow, now: Date): Promise<void> {
  const before = new Date(now.getTime() - lastSeenEveryMs);
  await database.client.browserSession.updateMany({
    where: { teamId: session.teamId, id: session.id, lastSeenAt: { lte: before } },
    data: { lastSeenAt: now, expiresAt: sessionExpiry(now) },
  });
}
