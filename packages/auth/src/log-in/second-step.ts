import { createHash } from "node:crypto";
import { type Database, sql, type Tx } from "@kb/db";
import { proveInTransaction } from "../second-factor/prove.ts";
import type { Proof, ProvenFactor } from "../second-factor/store.ts";
import type { Sealer } from "../secrets.ts";
import { createSession } from "../sessions/store.ts";
import type { Account, NewLogInSession } from "./account.ts";

/** A log-in whose first step succeeded, of a user who has a second factor. */
export type FirstStep = {
  readonly account: Account;
  /** A mark of the user's password: the second step is refused after a change of it. */
  readonly passwordMark: string;
};

/** A first step, and what the second one needs: a code, or the set-up of a factor that the team requires. */
export type NeededStep = FirstStep & { readonly needs: "code" | "set_up" };

/** The mark of a user without a password is that of the empty text. */
const markOf = (passwordHash: string | null): string =>
  createHash("sha256")
    .update(passwordHash ?? "")
    .digest("base64url");

type StepRow = {
  readonly passwordHash: string | null;
  readonly hasFactor: boolean;
  readonly isRequired: boolean;
};

/**
 * Returns the first step of a user whose identity is known; null if no second one is needed. The switch of the team is locked until
 * the session exists: switching it on ends the sessions of before, and must see this one.
 */
export async function findFirstStep(tx: Tx, { teamId, userId }: Account): Promise<NeededStep | null> {
  const [user] = await tx.rows<StepRow>(sql`SELECT u."passwordHash", f."userId" IS NOT NULL AS "hasFactor",
      t."secondFactorRequired" AS "isRequired"
    FROM users u JOIN teams t ON t.id = u."teamId"
    LEFT JOIN second_factors f ON f."teamId" = u."teamId" AND f."userId" = u.id
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid FOR SHARE OF t`);
  if (user === undefined || !(user.hasFactor || user.isRequired)) return null;
  const needs = user.hasFactor ? "code" : "set_up";
  return { account: { teamId, userId }, passwordMark: markOf(user.passwordHash), needs };
}

/** The second step of a log-in: what the user typed. */
export type SecondStep = FirstStep & {
  readonly typed: string;
  readonly address: string;
  readonly userAgent?: string | undefined;
};

/** The result of the second step. `ended`: the log-in has to begin again. */
export type SecondStepOutcome =
  | {
      readonly kind: "success";
      readonly account: Account;
      readonly session: NewLogInSession;
      readonly factor: ProvenFactor;
    }
  | { readonly kind: "ended" }
  | Exclude<Proof, { kind: "proven" } | { kind: "absent" }>;

type Options = {
  readonly sealer: Sealer;
  readonly clock: { now(): Date };
  /** Runs in the transaction that starts the session. */
  readonly onSuccess: (tx: Tx, outcome: Extract<SecondStepOutcome, { kind: "success" }>) => Promise<void>;
};

/** Completes a log-in with a code of the user's app or a recovery code, and starts the session. */
export function completeWithSecondFactor(
  database: Database,
  { account, passwordMark, typed, address, userAgent }: SecondStep,
  { sealer, clock, onSuccess }: Options,
): Promise<SecondStepOutcome> {
  return database.transaction(async (tx) => {
    const now = clock.now();
    if (!(await isFirstStepValid(tx, { account, passwordMark }))) return { kind: "ended" };
    const proof = await proveInTransaction(tx, sealer, { account, typed, place: "log_in" }, now);
    if (proof.kind === "absent") return { kind: "ended" };
    if (proof.kind !== "proven") return proof;
    const session = await createSession(tx, { ...account, address, userAgent }, now);
    const { method, recoveryCodesLeft } = proof;
    const outcome = { kind: "success", account, session, factor: { method, recoveryCodesLeft } } as const;
    await onSuccess(tx, outcome);
    return outcome;
  });
}

/** Whether the user still has the password of the first step and is not suspended. The row is locked until the session exists. */
export async function isFirstStepValid(
  tx: Tx,
  { account: { teamId, userId }, passwordMark }: FirstStep,
): Promise<boolean> {
  const [user] = await tx.rows<{ passwordHash: string | null }>(sql`SELECT "passwordHash" FROM users
    WHERE "teamId" = ${teamId}::uuid AND id = ${userId}::uuid AND "suspendedAt" IS NULL FOR SHARE`);
  return user !== undefined && markOf(user.passwordHash) === passwordMark;
}
