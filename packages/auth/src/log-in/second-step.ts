import { createHash } from "node:crypto";
import { type Database, type Reader, sql, type Tx } from "@kb/db";
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

/** The mark of a user without a password is that of the empty text. */
const markOf = (passwordHash: string | null): string =>
  createHash("sha256")
    .update(passwordHash ?? "")
    .digest("base64url");

/** Returns the first step of a user whose identity is known; null if no second one is needed. */
export async function findFirstStep(reader: Reader, { teamId, userId }: Account): Promise<FirstStep | null> {
  const [user] = await reader.rows<{ passwordHash: string | null }>(sql`SELECT u."passwordHash"
    FROM users u JOIN second_factors f ON f."teamId" = u."teamId" AND f."userId" = u.id
    WHERE u."teamId" = ${teamId}::uuid AND u.id = ${userId}::uuid`);
  return user === undefined ? null : { account: { teamId, userId }, passwordMark: markOf(user.passwordHash) };
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
    if (!(await isUnchanged(tx, account, passwordMark))) return { kind: "ended" };
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
async function isUnchanged(tx: Tx, { teamId, userId }: Account, passwordMark: string): Promise<boolean> {
  const [user] = await tx.rows<{ passwordHash: string | null }>(sql`SELECT "passwordHash" FROM users
    WHERE "teamId" = ${teamId}::uuid AND id = ${userId}::uuid AND "suspendedAt" IS NULL FOR SHARE`);
  return user !== undefined && markOf(user.passwordHash) === passwordMark;
}
