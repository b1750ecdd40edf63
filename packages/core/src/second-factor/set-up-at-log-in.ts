import {
  type Account,
  createSession,
  endSessions,
  type FirstStep,
  findTotpStep,
  isFirstStepValid,
  type NewLogInSession,
  storeSecondFactor,
} from "@kb/auth";
import { sql, type Tx } from "@kb/db";
import type { z } from "zod";
import { recordAudit } from "../audit/entry.ts";
import type { Service } from "../context.ts";
import { requireSealer } from "../require-sealer.ts";
import { createEnrolment, type Enrolment, openEnrolment, reopenEnrolment } from "./enrolment.ts";

/** A new authenticator app that its user has not confirmed yet. */
export type NewAuthenticator = z.output<typeof Enrolment>;

/**
 * Begins to set up an app for somebody whose team requires a second factor, after the first step of their log-in; or returns the
 * one of a ticket again. Null for a ticket that has ended.
 */
export async function beginSetUpAtLogIn(
  { database, clock, sealer }: Pick<Service, "database" | "clock" | "sealer">,
  account: Account,
  ticket?: string,
): Promise<NewAuthenticator | null> {
  const { teamId, userId } = account;
  const [user] = await database.rows<{ email: string; team: string }>(sql`SELECT u.email, t.name AS team
    FROM users u JOIN teams t ON t.id = u."teamId" WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid`);
  if (user === undefined) return null;
  const now = clock.now();
  if (ticket !== undefined) return reopenEnrolment(requireSealer(sealer), ticket, { account, ...user }, now);
  return createEnrolment(requireSealer(sealer), account, { replaces: null, ...user }, now);
}

/** The set-up that completes a log-in: its ticket, and the first code of the new app. */
export type SetUpAtLogIn = FirstStep & {
  readonly ticket: string;
  readonly code: string;
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId: string;
};

/** The result of a set-up. `ended`: the log-in has to begin again. */
export type SetUpOutcome =
  | { readonly kind: "success"; readonly session: NewLogInSession; readonly recoveryCodes: readonly string[] }
  | { readonly kind: "wrong" | "ended" };

/**
 * Completes a log-in with a new authenticator app, starts the session and ends earlier ones. `onSuccess` runs in the same
 * transaction. Codes are not limited: the app is the one that this page has just shown.
 */
export async function completeSetUpAtLogIn(
  { database, clock, sealer }: Pick<Service, "database" | "clock" | "sealer">,
  { account, passwordMark, ticket, code, address, userAgent, requestId }: SetUpAtLogIn,
  onSuccess: (tx: Tx, session: NewLogInSession) => Promise<void>,
): Promise<SetUpOutcome> {
  const now = clock.now();
  const opened = openEnrolment(requireSealer(sealer), ticket, account, now);
  if (opened === null || opened === "expired") return { kind: "ended" };
  const { secret, replaces } = opened;
  const step = findTotpStep(secret, code, now);
  if (step === null) return { kind: "wrong" };
  const { teamId, userId } = account;
  return database.transaction(async (tx) => {
    if (!(await isFirstStepValid(tx, { account, passwordMark }))) return { kind: "ended" };
    const recoveryCodes = await storeSecondFactor(tx, requireSealer(sealer), { account, secret, step, replaces }, now);
    if (recoveryCodes === null) return { kind: "ended" };
    await endSessions(tx, teamId, userId);
    const session = await createSession(tx, { ...account, address, userAgent }, now);
    await recordAudit(tx, {
      teamId,
      at: now,
      userId,
      credential: { kind: "session", id: session.id },
      action: "auth.secondFactor.confirm",
      outcome: "success",
      target: { type: "user", id: userId },
      address,
      requestId,
    });
    await onSuccess(tx, session);
    return { kind: "success", session, recoveryCodes };
  });
}
