import { type Actor, holds } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";
import { z } from "zod";
import { Timestamp, timestamp, timestampOrNull } from "../schema/text.ts";

/** An app that a member asked to connect, and whether it is approved for the team. */
export const AppRequest = z
  .object({
    id: z.uuid(),
    /** The name that the app gave itself; null when it gave none. */
    name: z.string().nullable(),
    clientId: z.string(),
    /** The addresses to which it may send the browser back. */
    redirectUris: z.array(z.string()),
    user: z.object({ id: z.uuid(), name: z.string() }),
    createdAt: Timestamp,
    approvedAt: Timestamp.nullable(),
  })
  .meta({ id: "AppRequest" });

/** A row of `requestColumns`. */
export type RequestRow = {
  readonly id: string;
  readonly name: string | null;
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  readonly userId: string;
  readonly userName: string;
  readonly createdAt: Date;
  readonly approvedAt: Date | null;
};

/** `app_requests r` with the user who asked. */
export const fromRequests = sql`app_requests r JOIN users u ON u."teamId" = r."teamId" AND u.id = r."userId"`;

/** The select list for `fromRequests`. */
export const requestColumns: Sql = sql`r.id, r.name, r."clientId", r."redirectUris", r."userId", u.name AS "userName",
  r."createdAt", r."approvedAt"`;

/** Returns the request as the contract shows it. */
export function presentRequest(row: RequestRow): z.input<typeof AppRequest> {
  const { id, name, clientId, redirectUris, userId, userName } = row;
  return {
    id,
    name,
    clientId,
    redirectUris: [...redirectUris],
    user: { id: userId, name: userName },
    createdAt: timestamp(row.createdAt),
    approvedAt: timestampOrNull(row.approvedAt),
  };
}

/** An app as the user was shown it: the request of the app was checked against these redirect URIs. */
export const ShownApp = z.strictObject({
  clientId: z.string(),
  name: z.string().nullable(),
  redirectUris: z.array(z.string()),
});
export type ShownApp = z.output<typeof ShownApp>;

/** Whether somebody may connect an app: `needed` and `asked` if the team has to approve it first. */
export const AppApproval = z.enum(["approved", "asked", "needed"]);
export type AppApproval = z.output<typeof AppApproval>;

/**
 * Reads whether the caller may connect an app. Those who manage connected apps need no approval. An app that has another
 * name or a further redirect URI than the one that was asked for counts as a new one: its document may change at any time.
 */
export async function readApproval(reader: Reader, actor: Actor, app: ShownApp): Promise<AppApproval> {
  if (holds(actor, "developer.mcp")) return "approved";
  const [row] = await reader.rows<{ isRequired: boolean; isAsked: boolean; isApproved: boolean }>(sql`
    SELECT t."appApprovalRequired" AS "isRequired", r.id IS NOT NULL AS "isAsked", r."approvedAt" IS NOT NULL AS "isApproved"
    FROM teams t LEFT JOIN app_requests r ON r."teamId" = ${actor.teamId}::uuid AND r."clientId" = ${app.clientId}
      AND r.name IS NOT DISTINCT FROM ${app.name} AND r."redirectUris" @> ${app.redirectUris}::text[]
    WHERE t.id = ${actor.teamId}::uuid`);
  if (row === undefined || !row.isRequired || row.isApproved) return "approved";
  return row.isAsked ? "asked" : "needed";
}
