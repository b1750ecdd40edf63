import { isUuid, newId, type Sql, sql } from "@kb/db";

/** What came of it: done, refused, not there or hidden (which the log does not tell apart either), or failed, as a log-in. */
export const auditOutcomes = ["success", "denied", "not_found", "failed"] as const;

export type AuditOutcome = (typeof auditOutcomes)[number];

/** Small facts about an entry: names of fields, levels, ids, counts. Never content, never a secret. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** One entry of the audit log: who, what, on what, when, from where, and what came of it. */
export type AuditRecord = {
  readonly teamId: string;
  readonly at: Date;
  /** Null where nobody is known: the reader of a channel, a job. */
  readonly userId: string | null;
  /** By what the caller proved who they are; null where they proved nothing. */
  readonly credential: { readonly kind: string; readonly id: string | null } | null;
  /** The operation's name, or what an edge calls it: `session.login`. */
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly target?: { readonly type: string; readonly id: string } | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: AuditDetails | undefined;
};

/** A detail is a hint, not a text. */
const maxDetailLength = 200;

function clipped(details: AuditDetails): AuditDetails {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, maxDetailLength) : value,
    ]),
  );
}

/** The statement that writes entries, of one team or of several. */
export function insertAudit(records: readonly AuditRecord[]): Sql {
  const rows = records.map(({ credential, target, details, address, requestId, ...record }) => ({
    ...record,
    id: newId(),
    credentialKind: credential?.kind ?? "none",
    credentialId: credential?.id,
    targetType: target?.type,
    targetId: target !== undefined && isUuid(target.id) ? target.id : undefined,
    address: address === "" ? undefined : address,
    requestId,
    details: details === undefined || Object.keys(details).length === 0 ? undefined : clipped(details),
  }));
  return sql`INSERT INTO audit_entries ("teamId", id, at, "userId", "credentialKind", "credentialId", action, outcome,
      "targetType", "targetId", address, "requestId", details)
    SELECT "teamId", id, at, "userId", "credentialKind", "credentialId", action, outcome,
      "targetType", "targetId", address, "requestId", details
    FROM jsonb_populate_recordset(NULL::audit_entries, ${JSON.stringify(rows)}::jsonb)`;
}

/**
 * Writes an entry at once: in a transaction it exists exactly when the change does. For what does not go through `invoke`,
 * which writes its own.
 */
export async function recordAudit(
  database: { execute(statement: Sql): Promise<number> },
  record: AuditRecord,
): Promise<void> {
  await database.execute(insertAudit([record]));
}
