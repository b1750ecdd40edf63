import type { Account } from "@kb/auth";
import { type AuditRecord, recordAudit } from "@kb/core";
import type { EdgeContext } from "@kb/http";

type Writer = Parameters<typeof recordAudit>[0];

/** How somebody showed who they are. */
export type Way = "password" | "single_sign_on";

type Attempted = { readonly account: Account; readonly session: { readonly id: string } | null; readonly way: Way };

/** Enters a log-in in the audit log; one without a session has failed. */
export async function noteArrival(
  database: Writer,
  context: EdgeContext,
  at: Date,
  { account, session, way }: Attempted,
): Promise<void> {
  const outcome = session === null ? "failed" : "success";
  await recordAudit(database, {
    ...entry(context, at, account, session),
    action: "session.login",
    outcome,
    details: { way },
  });
}

/** Enters a log-out. */
export async function noteDeparture(
  database: Writer,
  context: EdgeContext,
  at: Date,
  account: Account,
  session: { readonly id: string },
): Promise<void> {
  await recordAudit(database, {
    ...entry(context, at, account, session),
    action: "session.logout",
    outcome: "success",
  });
}

function entry(
  { var: { address, requestId } }: EdgeContext,
  at: Date,
  { teamId, userId }: Account,
  session: { readonly id: string } | null,
): Omit<AuditRecord, "action" | "outcome"> {
  const credential = session === null ? null : { kind: "session", id: session.id };
  return { teamId, userId, at, credential, address, requestId, target: { type: "user", id: userId } };
}
