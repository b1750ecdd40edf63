import type { Actor } from "@kb/auth";
import { empty, type Sql, sql } from "@kb/db";
import { z } from "zod";
import type { ReadContext } from "../context.ts";
import { query } from "../operation.ts";
import { requireWholeTeam } from "../require-whole-team.ts";
import { decodeCursor, encodeCursor } from "../schema/cursor.ts";
import { Limit } from "../schema/paging.ts";
import { Id, Instant, Text, Timestamp, timestamp } from "../schema/text.ts";
import { auditOutcomes } from "./entry.ts";
import { auditTtlMs } from "./kept.ts";

/** One entry of the audit log, as every edge shows it. */
export const AuditEntry = z
  .object({
    id: z.uuid(),
    at: Timestamp,
    user: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable(),
    credential: z.object({ kind: z.string(), id: z.string().nullable() }),
    action: z.string(),
    outcome: z.enum(auditOutcomes),
    target: z.object({ type: z.string(), id: z.uuid() }).nullable(),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });

/** A page of entries, newest first. */
const AuditPage = z.object({ data: z.array(AuditEntry), nextCursor: z.string().nullable() }).meta({ id: "AuditPage" });

const input = z.strictObject({
  since: Instant.optional(),
  until: Instant.optional(),
  action: Text.optional(),
  userId: Id.optional(),
  outcome: z.enum(auditOutcomes).optional(),
  targetId: Id.optional(),
  limit: Limit,
  cursor: Text.optional(),
});

type Request = z.output<typeof input>;

const Position = z.tuple([z.iso.datetime({ precision: 3 }), z.uuid()]);

type Row = {
  id: string;
  at: Date;
  userId: string | null;
  userName: string | null;
  credentialKind: string;
  credentialId: string | null;
  action: string;
  outcome: (typeof auditOutcomes)[number];
  targetType: string | null;
  targetId: string | null;
  address: string | null;
  requestId: string | null;
  details: Record<string, unknown> | null;
};

function present(row: Row): z.input<typeof AuditEntry> {
  const { targetType: type, targetId } = row;
  return {
    id: row.id,
    at: timestamp(row.at),
    user: row.userId === null ? null : { id: row.userId, name: row.userName },
    credential: { kind: row.credentialKind, id: row.credentialId },
    action: row.action,
    outcome: row.outcome,
    target: type === null || targetId === null ? null : { type, id: targetId },
    address: row.address,
    requestId: row.requestId,
    details: row.details ?? {},
  };
}

/** Returns `AND …` for a filter that is set. */
const when = <T>(value: T | undefined, condition: (value: T) => Sql): Sql =>
  value === undefined ? empty : sql` AND ${condition(value)}`;

/** Compares the time alone too: PostgreSQL leaves out partitions by it, and not by the pair. */
function after(cursor: string): Sql {
  const [at, id] = decodeCursor(Position, cursor);
  return sql`a.at <= ${at}::timestamptz AND (a.at, a.id) < (${at}::timestamptz, ${id}::uuid)`;
}

/** An entry that has expired is not shown while its month is kept for others. */
function conditions(actor: Actor, request: Request, now: Date): Sql {
  const kept = new Date(now.getTime() - auditTtlMs);
  return sql`a."teamId" = ${actor.teamId}::uuid AND a.at >= ${kept}${when(request.since, (since) => sql`a.at >= ${since}`)}${when(
    request.until,
    (until) => sql`a.at < ${until}`,
  )}${when(request.action, (action) => sql`a.action = ${action}`)}${when(
    request.userId,
    (userId) => sql`a."userId" = ${userId}::uuid`,
  )}${when(request.outcome, (outcome) => sql`a.outcome = ${outcome}`)}${when(
    request.targetId,
    (targetId) => sql`a."targetId" = ${targetId}::uuid`,
  )}${when(request.cursor, after)}`;
}

async function readAudit({ reader, actor, now }: ReadContext, request: Request): Promise<z.input<typeof AuditPage>> {
  requireWholeTeam(actor, "read the audit log");
  const rows = await reader.rows<Row>(sql`
    SELECT a.id, a.at, a."userId", u.name AS "userName", a."credentialKind", a."credentialId", a.action, a.outcome,
      a."targetType", a."targetId", a.address, a."requestId", a.details
    FROM audit_entries a LEFT JOIN users u ON u."teamId" = a."teamId" AND u.id = a."userId"
    WHERE ${conditions(actor, request, now)} ORDER BY a.at DESC, a.id DESC LIMIT ${request.limit + 1}`);
  const page = rows.slice(0, request.limit);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return {
    data: page.map(present),
    nextCursor: last === undefined ? null : encodeCursor([timestamp(last.at), last.id]),
  };
}

const shared = {
  summary: "Read the audit log",
  description:
    "Every change, refused call, login and grant, newest first, with its user, credential, action, target, time, address and outcome. Entries are kept for 365 days. `outcome` is `success`, `denied`, `failed`, or `not_found` for things that are absent or hidden, which the log does not distinguish. Refused calls appear within a second.",
  scope: "admin",
  capability: "audit.read",
  input,
  output: AuditPage,
  run: readAudit,
} as const;

/** Reads the audit log with an API key of scope `admin`. */
export const listAuditLog = query({ name: "auditLog.list", ...shared });

/** Reads the audit log in the app. */
export const listAudit = query({ name: "audit.list", sessionOnly: true, ...shared });
