import { raw, type Sql, sql } from "@kb/db";
import { cleanUpAttachments } from "../attachments/clean-up.ts";
import { keepAuditMonths, longAuditPartitions } from "../audit/keep-months.ts";
import { auditTtlMs } from "../audit/kept.ts";
import { readByAllConsumers } from "../changes/lag.ts";
import { eventTtlMs } from "../changes/late-consumers.ts";
import type { Service } from "../context.ts";
import { tombstoneTtlMs } from "../documents/tombstones.ts";
import { idempotencyTtlMs } from "../idempotency.ts";
import { cleanUpImports } from "../imports/clean-up.ts";
import { sweepLogs } from "../live/sweep-logs.ts";
import { expireMailTokens } from "../mail/expire-tokens.ts";
import { sweepVocabularies } from "../search/sweep-vocabulary.ts";
import { emptyOldTrash } from "./trash.ts";

/** The retention periods that are settings. */
export type Retention = {
  /** Documents in the trash are destroyed after this number of days; 0 keeps them forever. */
  readonly trashRetentionDays: number;
  /** Called if the months of the audit log wait for the next sweep, with the reason. */
  readonly onPostponed?: (reason: string) => void;
};

/** The number of deleted rows by kind. Kinds without deleted rows are absent. */
export type Swept = Readonly<Record<string, number>>;

const day = 24 * 60 * 60 * 1000;
const deliveryTtlMs = 30 * day;
const viewTtlMs = 90 * day;
const mailTtlMs = 30 * day;
const liveClientTtlMs = 30 * day;
/** The time for which an expired invitation is listed, so that it can be sent again. */
const expiredInvitationTtlMs = 30 * day;
/** Longer than the window in which failed logins count. */
const loginFailureTtlMs = day;
/**
 * Registered clients that were never used, and those that were. A client with an active grant stays, as its grants
 * would go with it.
 */
const unusedClientTtlMs = 2 * day;
const idleClientTtlMs = 30 * day;
/** The time for which grants are kept after their end. */
const endedGrantTtlMs = 30 * day;
/** Longer than the ten minutes in which a confirmation is valid. */
const confirmationTtlMs = day;

/** Rows per statement. Small batches hold their locks only briefly. */
const batchSize = 1_000;

type Rule = { readonly kind: string; readonly table: Sql; readonly expired: (now: Date) => Sql };

const before = (now: Date, ttlMs: number): Date => new Date(now.getTime() - ttlMs);

const rules: readonly Rule[] = [
  {
    kind: "deliveries",
    table: sql`webhook_deliveries`,
    expired: (now) => sql`"createdAt" < ${before(now, deliveryTtlMs)}`,
  },
  {
    kind: "events",
    table: sql`events`,
    expired: (now) => sql`at < ${before(now, eventTtlMs)} AND ${readByAllConsumers()}`,
  },
  { kind: "tombstones", table: sql`tombstones`, expired: (now) => sql`at < ${before(now, tombstoneTtlMs)}` },
  {
    kind: "idempotencyKeys",
    table: sql`idempotency_keys`,
    expired: (now) => sql`"createdAt" < ${before(now, idempotencyTtlMs)}`,
  },
  { kind: "oauthCodes", table: sql`oauth_codes`, expired: (now) => sql`"expiresAt" < ${before(now, day)}` },
  { kind: "oauthTokens", table: sql`oauth_tokens`, expired: (now) => sql`"expiresAt" < ${before(now, day)}` },
  {
    kind: "oauthGrants",
    table: sql`oauth_grants`,
    expired: (now) => sql`LEAST("expiresAt", "revokedAt") < ${before(now, endedGrantTtlMs)}`,
  },
  {
    kind: "oauthClients",
    table: sql`oauth_clients`,
    expired: (now) => sql`CASE WHEN "lastUsedAt" IS NULL THEN "createdAt" < ${before(now, unusedClientTtlMs)}
      ELSE "lastUsedAt" < ${before(now, idleClientTtlMs)} END AND NOT EXISTS (SELECT 1 FROM oauth_grants g
        WHERE g."clientId" = oauth_clients.id AND g."revokedAt" IS NULL AND g."expiresAt" > ${now})`,
  },
  {
    kind: "invitations",
    table: sql`invitations`,
    expired: (now) => sql`"expiresAt" < ${before(now, expiredInvitationTtlMs)}`,
  },
  { kind: "passwordResets", table: sql`password_resets`, expired: (now) => sql`"expiresAt" < ${before(now, day)}` },
  { kind: "emailChanges", table: sql`email_changes`, expired: (now) => sql`"expiresAt" < ${before(now, day)}` },
  {
    kind: "passwordResetRequests",
    table: sql`password_reset_requests`,
    expired: (now) => sql`"createdAt" < ${before(now, day)}`,
  },
  { kind: "mails", table: sql`mails`, expired: (now) => sql`"createdAt" < ${before(now, mailTtlMs)}` },
  { kind: "views", table: sql`document_views`, expired: (now) => sql`"viewedAt" < ${before(now, viewTtlMs)}` },
  { kind: "liveClients", table: sql`live_clients`, expired: (now) => sql`at < ${before(now, liveClientTtlMs)}` },
  { kind: "sessions", table: sql`browser_sessions`, expired: (now) => sql`"expiresAt" < ${now}` },
  { kind: "passkeyChallenges", table: sql`passkey_challenges`, expired: (now) => sql`"expiresAt" < ${now}` },
  { kind: "loginFailures", table: sql`login_failures`, expired: (now) => sql`at < ${before(now, loginFailureTtlMs)}` },
  {
    kind: "deleteConfirmations",
    table: sql`delete_confirmations`,
    expired: (now) => sql`at < ${before(now, confirmationTtlMs)}`,
  },
];

/** Deletes the entries of the audit log that do not go with their month. */
const auditRule = (partition: string): Rule => ({
  kind: "auditEntries",
  table: raw(partition),
  expired: (now) => sql`at < ${before(now, auditTtlMs)}`,
});

/**
 * Deletes expired rows in small batches, and whole months of the audit log. Several processes may run it at once; each row is
 * deleted once.
 */
export async function sweep(service: Service, { trashRetentionDays, onPostponed }: Retention): Promise<Swept> {
  const swept: Record<string, number> = {};
  if (trashRetentionDays > 0) {
    swept.documents = await emptyOldTrash(service, before(service.clock.now(), trashRetentionDays * day));
  }
  for (const rule of rules) swept[rule.kind] = await sweepRule(service, rule);
  swept.mailTokens = await expireMailTokens(service.database, service.clock.now());
  swept.liveBatches = await sweepLogs(service);
  swept.searchTerms = await sweepVocabularies(service.database);
  if (service.files !== undefined) {
    const { expired, removed } = await cleanUpAttachments(service);
    swept.attachments = expired + removed;
    swept.imports = await cleanUpImports(service);
  }
  const months = await keepAuditMonths(service);
  if (months.postponed !== undefined) onPostponed?.(months.postponed);
  swept.auditMonths = months.dropped;
  // Last: partitions that another role owns, or another worker drops meanwhile, keep nothing else from being swept.
  swept.auditEntries = 0;
  for (const partition of await longAuditPartitions(service.database)) {
    swept.auditEntries += await sweepRule(service, auditRule(partition));
  }
  return Object.fromEntries(Object.entries(swept).filter(([, count]) => count > 0));
}

async function sweepRule(service: Service, { table, expired }: Rule): Promise<number> {
  const condition = expired(service.clock.now());
  let total = 0;
  for (;;) {
    const count = await service.database.acrossTeams.execute(sql`DELETE FROM ${table} WHERE ctid IN
      (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)`);
    total += count;
    if (count < batchSize) return total;
  }
}
