import type { Actor, Caller, ChannelReader } from "@kb/auth";
import { type Database, isUuid } from "@kb/db";
import { type ErrorCode, ServiceError } from "../errors.ts";
import { idIn, targetType } from "./draft.ts";
import type { AuditOutcome, AuditRecord } from "./entry.ts";
import { queueAudit } from "./queue.ts";

/** The errors that refuse access. Hidden and absent things have the same outcome. */
const denials: ReadonlyMap<ErrorCode, AuditOutcome> = new Map([
  ["authentication_required", "denied"],
  ["insufficient_scope", "denied"],
  ["forbidden", "denied"],
  ["mcp_disabled", "denied"],
  ["not_found", "not_found"],
  ["not_in_trash", "not_found"],
]);

/** Returns the caller as the audit log shows them. */
export function auditSubject(
  caller: ChannelReader | Pick<Actor, "teamId" | "userId" | "credential">,
): Pick<AuditRecord, "teamId" | "userId" | "credential"> {
  const { teamId, credential } = caller;
  const { kind, id } = credential;
  return { teamId, userId: "userId" in caller ? caller.userId : null, credential: { kind, id } };
}

/** Records refused calls in the audit log and ignores other errors. */
export function recordDenial(
  service: { readonly database: Database; readonly clock: { now(): Date } },
  name: string,
  caller: Caller,
  raw: unknown,
  call: Pick<AuditRecord, "address" | "requestId">,
  error: unknown,
): void {
  const outcome = error instanceof ServiceError ? denials.get(error.code) : undefined;
  if (outcome === undefined || !(error instanceof ServiceError)) return;
  const id = idIn(raw);
  queueAudit(service, {
    ...auditSubject(caller),
    at: service.clock.now(),
    action: name,
    outcome,
    target: id === undefined ? undefined : { type: targetType(name), id },
    address: call.address,
    requestId: call.requestId,
    details: { code: error.code, ...idsIn(raw) },
  });
}

/** Returns the other ids that the call named, such as `collectionId`. Keeps no other values. */
function idsIn(raw: unknown): Record<string, string> {
  const ids: Record<string, string> = {};
  if (typeof raw !== "object" || raw === null) return ids;
  for (const [name, value] of Object.entries(raw)) {
    if (/^[a-z]{1,32}Id$/i.test(name) && typeof value === "string" && isUuid(value)) ids[name] = value;
  }
  return ids;
}
