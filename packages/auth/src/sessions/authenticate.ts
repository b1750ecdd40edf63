import { type Database, type Sql, sql } from "@kb/db";
import type { Actor } from "../actor.ts";
import { type ActorRow, actorColumns, actorFrom } from "../actor-row.ts";
import { hashToken } from "../api-key.ts";
import { sessionExpiry } from "./store.ts";
import { csrfTokenOf, isSessionToken } from "./token.ts";

/** A browser session with its user, as the database holds them. */
export type SessionRow = ActorRow & { readonly id: string; readonly lastSeenAt: Date; readonly provenAt: Date };

/** The last use of a session, from which its expiry is computed, is written at most once in this time. */
const lastSeenEveryMs = 60_000;

/**
 * Finds the user of a session: one indexed look-up by the hash of its token, none for a text that cannot be a token.
 * Returns null for an unknown, ended or expired session and for a suspended user, without revealing which.
 * A session has every scope: only the capabilities of its user limit it.
 */
export async function authenticateSession(database: Database, token: string, now: Date): Promise<Actor | null> {
  if (!isSessionToken(token)) return null;
  // The team is not known yet: the hash of the token identifies it.
  const [row] = await database.beforeTeam.rows<SessionRow>(sessionLookUp(token, now));
  if (row === undefined) return null;
  await recordSessionUse(database, row, now);
  return sessionActor(row, token);
}

/** Returns the statement that selects the `SessionRow` of a valid session: none for an unknown, ended or expired one. */
export function sessionLookUp(token: string, now: Date): Sql {
  return sql`
    SELECT s.id, s."lastSeenAt", COALESCE(s."provenAt", s."createdAt") AS "provenAt", ${actorColumns}
    FROM browser_sessions s JOIN users u ON u."teamId" = s."teamId" AND u.id = s."userId"
    WHERE s.hash = ${hashToken(token)} AND s."expiresAt" > ${now} AND u."suspendedAt" IS NULL`;
}

/** Returns the caller with this session. */
export function sessionActor(row: SessionRow, token: string): Actor {
  const session = { csrfToken: csrfTokenOf(token), provenAt: row.provenAt };
  const credential = { kind: "session", id: row.id, name: "Browser", session } as const;
  return actorFrom(row, { credential, scopes: ["read", "write", "admin"] });
}

/** Records a use, where that is due; of concurrent uses, one is written. A session that has ended meanwhile stays ended. */
export async function recordSessionUse(database: Database, session: SessionRow, now: Date): Promise<void> {
  if (now.getTime() - session.lastSeenAt.getTime() < lastSeenEveryMs) return;
  const before = new Date(now.getTime() - lastSeenEveryMs);
  await database.execute(sql`UPDATE browser_sessions SET "lastSeenAt" = ${now}, "expiresAt" = ${sessionExpiry(now)}
    WHERE "teamId" = ${session.teamId}::uuid AND id = ${session.id}::uuid AND "lastSeenAt" <= ${before}`);
}
