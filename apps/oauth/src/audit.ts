import type { Account } from "@kb/auth";
import { type AuditRecord, queueAudit, recordAudit, type Service } from "@kb/core";
import type { EdgeContext } from "@kb/http";

type Transaction = Parameters<typeof recordAudit>[0];
type Session = { readonly id: string };

/** How somebody showed who they are. */
type Method = "password" | "single_sign_on";

/** Enters a log-in in the audit log, with the session that it begins. */
export async function noteArrival(
  tx: Transaction,
  context: EdgeContext,
  at: Date,
  { account, session, method }: { account: Account; session: Session; method: Method },
): Promise<void> {
  const entry = entryOf(context, at, account, session);
  await recordAudit(tx, { ...entry, action: "session.login", outcome: "success", details: { method } });
}

/** Enters a failed one, behind the answer: its time must not tell whether there is such an account. */
export function noteFailedLogIn(service: Service, context: EdgeContext, account: Account): void {
  const entry = entryOf(context, service.clock.now(), account, null);
  queueAudit(service, { ...entry, action: "session.login", outcome: "failed", details: { method: "password" } });
}

/** Enters a log-out. */
export async function noteDeparture(
  tx: Transaction,
  context: EdgeContext,
  at: Date,
  { account, session }: { account: Account; session: Session },
): Promise<void> {
  const entry = entryOf(context, at, account, session);
  await recordAudit(tx, { ...entry, action: "session.logout", outcome: "success" });
}

function entryOf(
  { var: { address, requestId } }: EdgeContext,
  at: Date,
  { teamId, userId }: Account,
  session: Session | null,
): Omit<AuditRecord, "action" | "outcome"> {
  const credential = session === null ? null : { kind: "session", id: session.id };
  return { teamId, userId, at, credential, address, requestId, target: { type: "user", id: userId } };
}
