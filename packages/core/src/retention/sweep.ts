import { type Sql, sql } from "@kb/db";
import { cleanUpAttachments } from "../attachments/clean-up.ts";
import { tombstoneTtlMs } from "../documents/tombstones.ts";
import { idempotencyTtlMs } from "../idempotency.ts";
import type { Service } from "../operation.ts";
import { emptyOldTrash } from "./trash.ts";

/** What is kept for how long where that is a setting. */
export type Retention = {
  /** Documents in the trash go after so many days; 0 keeps them for ever. */
  readonly trashRetentionDays: number;
};

/** How many rows went, by what they were; what lost none is left out. */
export type Swept = Readonly<Record<string, number>>;

const day = 24 * 60 * 60 * 1000;
/** The log of deliveries, and the events that they told of. */
const deliveryTtlMs = 30 * day;
const auditTtlMs = 365 * day;
/** Longer than the window in which failures count. */
const loginFailureTtlMs = day;
/** A registered client that was never used, and one that was. One with a living grant stays: its grants go with it. */
const unusedClientTtlMs = 2 * day;
const idleClientTtlMs = 30 * day;
/** What an app was allowed, after that has ended. */
const endedGrantTtlMs = 30 * day;
/** Longer than the ten minutes in which a first call is remembered. */
const confirmationTtlMs = day;

/** Rows at once: a batch is short, so that nobody waits long for its locks. */
const batchSize = 1_000;

type Rule = { readonly what: string; readonly table: Sql; readonly past: (now: Date) => Sql };

const before = (now: Date, ttlMs: number): Date => new Date(now.getTime() - ttlMs);

const rules: readonly Rule[] = [
  {
    what: "deliveries",
    table: sql`webhook_deliveries`,
    past: (now) => sql`"createdAt" < ${before(now, deliveryTtlMs)}`,
  },
  {
    what: "events",
    table: sql`events`,
    past: (now) => sql`at < ${before(now, deliveryTtlMs)} AND "dispatchedAt" IS NOT NULL`,
  },
  { what: "auditEntries", table: sql`audit_entries`, past: (now) => sql`at < ${before(now, auditTtlMs)}` },
  { what: "tombstones", table: sql`tombstones`, past: (now) => sql`at < ${before(now, tombstoneTtlMs)}` },
  {
    what: "idempotencyKeys",
    table: sql`idempotency_keys`,
    past: (now) => sql`"createdAt" < ${before(now, idempotencyTtlMs)}`,
  },
  { what: "oauthCodes", table: sql`oauth_codes`, past: (now) => sql`"expiresAt" < ${before(now, day)}` },
  { what: "oauthTokens", table: sql`oauth_tokens`, past: (now) => sql`"expiresAt" < ${before(now, day)}` },
  {
    what: "oauthGrants",
    table: sql`oauth_grants`,
    past: (now) => sql`LEAST("expiresAt", "revokedAt") < ${before(now, endedGrantTtlMs)}`,
  },
  {
    what: "oauthClients",
    table: sql`oauth_clients`,
    past: (now) => sql`CASE WHEN "lastUsedAt" IS NULL THEN "createdAt" < ${before(now, unusedClientTtlMs)}
      ELSE "lastUsedAt" < ${before(now, idleClientTtlMs)} END AND NOT EXISTS (SELECT 1 FROM oauth_grants g
        WHERE g."clientId" = oauth_clients.id AND g."revokedAt" IS NULL AND g."expiresAt" > ${now})`,
  },
  { what: "sessions", table: sql`browser_sessions`, past: (now) => sql`"expiresAt" < ${now}` },
  { what: "loginFailures", table: sql`login_failures`, past: (now) => sql`at < ${before(now, loginFailureTtlMs)}` },
  {
    what: "deleteConfirmations",
    table: sql`delete_confirmations`,
    past: (now) => sql`at < ${before(now, confirmationTtlMs)}`,
  },
];

/** Throws away, in small batches, what is past its time. Any number may run at once: each row goes once. */
export async function sweep(service: Service, { trashRetentionDays }: Retention): Promise<Swept> {
  const swept: Record<string, number> = {};
  if (trashRetentionDays > 0) {
    swept.documents = await emptyOldTrash(service, before(service.clock.now(), trashRetentionDays * day));
  }
  for (const rule of rules) swept[rule.what] = await sweepRule(service, rule);
  if (service.files !== undefined) {
    const { expired, removed } = await cleanUpAttachments(service);
    swept.attachments = expired + removed;
  }
  return Object.fromEntries(Object.entries(swept).filter(([, count]) => count > 0));
}

async function sweepRule(service: Service, { table, past }: Rule): Promise<number> {
  const condition = past(service.clock.now());
  let total = 0;
  for (;;) {
    const count = await service.database.acrossTeams.execute(sql`DELETE FROM ${table} WHERE ctid IN
      (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`);
    total += count;
    if (count < batchSize) return total;
  }
}
