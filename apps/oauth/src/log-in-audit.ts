import type { Account } from "@kb/auth";
import { type AuditRecord, queueAudit, recordAudit, type Service } from "@kb/core";
import type { EdgeContext } from "@kb/http";

type Transaction = Parameters<typeof recordAudit>[0];
type Session = { readonly id: string };

/** The method of a log-in. */
type Method = "password" | "single_sign_on";

/** Records a log-in with the session that it starts. */
export async function recordLogIn(
  tx: Transaction,
  context: EdgeContext,
  at: Date,
  { account, session, method }: { account: Account; session: Session; method: Method },
): Promise<void> {
  const entry = entryOf(context, at, account, session);
  await recordAudit(tx, { ...entry, action: "session.login", outcome: "success", details: { method } });
}

/** Records a failed log-in after the answer: the time of the answer must not reveal whether the account exists. */
export function recordFailedLogIn(service: Service, context: EdgeContext, account: Account): void {
  const entry = entryOf(context, service.clock.now(), account, null);
  queueAudit(service, { ...entry, action: "session.login", outcome: "failed", details: { method: "password" } });
}

/** Records a log-out. */
export async function recordLogOut(
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
