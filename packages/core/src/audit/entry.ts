import { isUuid, newId, type Sql, sql } from "@kb/db";

/**
 * The outcomes of a call: `success`; `denied`; `not_found` for things that are absent or hidden, which the log does not
 * distinguish; `failed` for failed logins and similar attempts.
 */
export const auditOutcomes = ["success", "denied", "not_found", "failed"] as const;

/** The outcome of a call. */
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Small facts about an entry, such as field names, levels, ids and counts. Never content or secrets. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** An entry of the audit log. */
export type AuditRecord = {
  readonly teamId: string;
  readonly at: Date;
  /** Null for an unknown user, a reader of a channel, or a job. */
  readonly userId: string | null;
  /** The credential of the caller; null when there was none. */
  readonly credential: { readonly kind: string; readonly id: string | null } | null;
  /** The name of the operation, or the edge's name for the action, such as `session.login`. */
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly target?: { readonly type: string; readonly id: string } | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: AuditDetails | undefined;
};

/** Keeps details short: they are hints, not texts. */
const maxDetailLength = 200;

function clipped(details: AuditDetails): AuditDetails {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, maxDetailLength) : value,
    ]),
  );
}

/** Returns the statement that inserts entries, of one or several teams. */
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
 * Writes an entry at once; in a transaction, together with the change. Only for changes that do not go through
 * `invoke`, which writes its own entries.
 */
export async function recordAudit(
  database: { execute(statement: Sql): Promise<number> },
  record: AuditRecord,
): Promise<void> {
  await database.execute(insertAudit([record]));
}
