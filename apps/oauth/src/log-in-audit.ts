import type { Account, ProvenFactor } from "@kb/auth";
import { type AuditDetails, type AuditRecord, queueAudit, recordAudit, type Service } from "@kb/core";
import type { EdgeContext } from "@kb/http";

type Transaction = Parameters<typeof recordAudit>[0];
type Session = { readonly id: string };

/** The method of a log-in's first step, before a second one. */
export type FirstStepMethod = "password" | "single_sign_on" | "link";

/** The method of a log-in. */
export type LogInMethod = FirstStepMethod | "passkey";

type LoggedIn = {
  readonly account: Account;
  readonly session: Session;
  readonly method: LogInMethod;
  /** The code of the second step, or the passkey. */
  readonly factor?: ProvenFactor | { readonly method: "passkey" };
};

/** Records a log-in with the session that it starts. */
export async function recordLogIn(
  tx: Transaction,
  context: EdgeContext,
  at: Date,
  { account, session, method, factor }: LoggedIn,
): Promise<void> {
  const entry = entryOf(context, at, account, session);
  await recordAudit(tx, {
    ...entry,
    action: "session.login",
    outcome: "success",
    details: { method, ...detailsOf(factor) },
  });
}

function detailsOf(factor: LoggedIn["factor"]): AuditDetails {
  if (factor === undefined) return {};
  const { method: secondFactor } = factor;
  return "recoveryCodesLeft" in factor
    ? { secondFactor, recoveryCodesLeft: factor.recoveryCodesLeft }
    : { secondFactor };
}

/** Records a failed log-in after the answer: the time of the answer must not reveal whether the account exists. */
export function recordFailedLogIn(
  service: Service,
  context: EdgeContext,
  account: Account,
  details: AuditDetails = { method: "password" },
): void {
  const entry = entryOf(context, service.clock.now(), account, null);
  queueAudit(service, { ...entry, action: "session.login", outcome: "failed", details });
}

/** Records a right first step of a log-in that needs a second one: it tells of a password in wrong hands. */
export function recordFirstStep(
  service: Service,
  context: EdgeContext,
  { account, method }: { readonly account: Account; readonly method: FirstStepMethod },
): void {
  const entry = entryOf(context, service.clock.now(), account, null);
  queueAudit(service, { ...entry, action: "session.firstStep", outcome: "success", details: { method } });
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
