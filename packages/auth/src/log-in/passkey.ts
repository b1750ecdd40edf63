import { type Database, sql, type Tx } from "@kb/db";
import type { Assertion } from "../passkeys/assertion.ts";
import { checkPasskey, type PasskeyRefusal, type ProvenPasskey, settlePasskey } from "../passkeys/prove.ts";
import { createSession } from "../sessions/store.ts";
import type { Account, NewLogInSession } from "./account.ts";
import { type FirstStep, isFirstStepValid } from "./second-step.ts";

type Client = { readonly address: string; readonly userAgent?: string | undefined };

/** The answer of a browser at a log-in. `browser` names the browser that was asked. */
export type PasskeyLogIn = Client & { readonly assertion: Assertion; readonly browser: string };

type Success = { readonly kind: "success"; readonly account: Account; readonly session: NewLogInSession };

/** The result of a log-in by passkey. `ended`: it has to begin again. */
export type PasskeyLogInOutcome = Success | PasskeyRefusal | { readonly kind: "ended" };

type Options = {
  readonly appUrl: string;
  readonly clock: { now(): Date };
  /** Runs in the transaction that starts the session. */
  readonly onSuccess: (tx: Tx, outcome: Success) => Promise<void>;
};

/** Logs in with nothing but a passkey, which says who its user is and has checked their finger, face or PIN. */
export async function logInWithPasskey(
  database: Database,
  { assertion, browser, ...client }: PasskeyLogIn,
  options: Options,
): Promise<PasskeyLogInOutcome> {
  const { appUrl, clock } = options;
  const use = { purpose: "log_in", binding: browser } as const;
  const attempt = { assertion, use, appUrl, mustVerifyUser: true };
  const proof = await checkPasskey(database, attempt, clock.now());
  if (proof.kind === "refused") return proof;
  return database.transaction((tx) => start(tx, proof, client, options));
}

/** Completes a log-in with a passkey of the user as the second step. */
export async function completeWithPasskey(
  database: Database,
  { assertion, browser, account, passwordMark, ...client }: PasskeyLogIn & FirstStep,
  options: Options,
): Promise<PasskeyLogInOutcome> {
  const { appUrl, clock } = options;
  const use = { purpose: "second_step", binding: secondStepBinding({ account, passwordMark }, browser) } as const;
  const attempt = { assertion, use, appUrl, account, mustVerifyUser: false };
  const proof = await checkPasskey(database, attempt, clock.now());
  if (proof.kind === "refused") return proof;
  return database.transaction(async (tx) => {
    if (!(await isFirstStepValid(tx, { account, passwordMark }))) return { kind: "ended" };
    return start(tx, proof, client, options);
  });
}

/** Returns what the challenge of a second step is bound to: the first step, and the browser. */
export const secondStepBinding = ({ account, passwordMark }: FirstStep, browser: string): string =>
  JSON.stringify([account.teamId, account.userId, passwordMark, browser]);

async function start(
  tx: Tx,
  proof: ProvenPasskey,
  client: Client,
  { clock, onSuccess }: Options,
): Promise<PasskeyLogInOutcome> {
  const now = clock.now();
  const { account } = proof.passkey;
  // Locked until the session exists, like the row of the user at other log-ins.
  const { teamId, userId } = account;
  const active = await tx.rows(sql`SELECT 1 FROM users
    WHERE "teamId" = ${teamId}::uuid AND id = ${userId}::uuid AND "suspendedAt" IS NULL FOR SHARE`);
  if (active.length === 0) return { kind: "ended" };
  const refusal = await settlePasskey(tx, proof, now);
  if (refusal !== null) return refusal;
  const session = await createSession(tx, { ...account, ...client }, now);
  const outcome = { kind: "success", account, session } as const;
  await onSuccess(tx, outcome);
  return outcome;
}
