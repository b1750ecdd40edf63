import { type Actor, type GrantScope, holds } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { notFound } from "../errors.ts";
import { Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";

/** An app that a user has allowed. Each consent is one connected app. */
export const ConnectedApp = z
  .object({
    id: z.uuid(),
    /** The name that the app gave itself; null when it gave none. */
    name: z.string().nullable(),
    clientId: z.string(),
    /** The addresses to which it may send the browser back. */
    redirectUris: z.array(z.string()),
    scope: z.enum(["read", "read write"]),
    user: z.object({ id: z.uuid(), name: z.string() }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
    expiresAt: Timestamp,
    revokedAt: Timestamp.nullable(),
  })
  .meta({ id: "ConnectedApp" });

/** A row of `appColumns`. */
export type AppRow = {
  readonly id: string;
  readonly name: string | null;
  readonly clientId: string;
  readonly redirectUris: readonly string[] | null;
  readonly scopes: readonly GrantScope[];
  readonly userId: string;
  readonly userName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
};

/** `oauth_grants g` with its app and its user. */
export const fromApps = sql`oauth_grants g JOIN oauth_clients c ON c.id = g."clientId"
  JOIN users u ON u."teamId" = g."teamId" AND u.id = g."userId"`;
/** The select list for `fromApps`. */
export const appColumns = sql`g.id, c.name, g."clientId", c.metadata->'redirectUris' AS "redirectUris", g.scopes,
  g."userId", u.name AS "userName", g."createdAt", g."lastUsedAt", g."expiresAt", g."revokedAt"`;

/** Condition on `oauth_grants g`: the caller's own grants, or all for callers who may manage connected apps. */
export function visibleApps(actor: Actor): Sql {
  const team = sql`g."teamId" = ${actor.teamId}::uuid`;
  return holds(actor, "developer.mcp") ? team : sql`${team} AND g."userId" = ${actor.userId}::uuid`;
}

/** Reads a connected app that the caller may see. @throws {ServiceError} `not_found` */
export async function requireApp(reader: Reader, actor: Actor, id: string): Promise<AppRow> {
  const [row] = await reader.rows<AppRow>(sql`SELECT ${appColumns} FROM ${fromApps}
    WHERE ${visibleApps(actor)} AND g.id = ${id}::uuid`);
  if (row === undefined) throw notFound("Connected app");
  return row;
}

/** Returns the app as the contract shows it. */
export function presentApp(row: AppRow): z.input<typeof ConnectedApp> {
  const { id, name, clientId, redirectUris, scopes } = row;
  return {
    id,
    name,
    clientId,
    redirectUris: [...(redirectUris ?? [])],
    scope: scopes.includes("write") ? "read write" : "read",
    user: { id: row.userId, name: row.userName },
    createdAt: timestamp(row.createdAt),
    lastUsedAt: timestampOrNull(row.lastUsedAt),
    expiresAt: timestamp(row.expiresAt),
    revokedAt: timestampOrNull(row.revokedAt),
  };
}
