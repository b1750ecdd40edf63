import { createHmac } from "node:crypto";
import { type Database, sql, type Tx } from "@kb/db";
import { Gates } from "../gate.ts";
import { decoyHash, verifyPassword } from "../password.ts";
import { createSession } from "../sessions/store.ts";
import type { Account, NewLogInSession } from "./account.ts";
import { findFirstStep, type NeededStep } from "./second-step.ts";
import { type Attempt, lockStanding, readStanding, recordFailure, type Throttled } from "./throttle.ts";

/** The input of a log-in. */
export type LogIn = {
  readonly email: string;
  readonly password: string;
  /** The client's address, shown to the user in the list of their sessions. */
  readonly address: string;
  /** The key under which failures are counted: the address, or its network if one client has many addresses. */
  readonly network: string;
  readonly userAgent?: string | undefined;
};

/** The result of a log-in. `account` is only for the audit log: the client must not learn whether it exists. */
export type LogInOutcome =
  | { readonly kind: "success"; readonly account: Account; readonly session: NewLogInSession }
  /** The password was right, and the next step asks for a second factor. */
  | ({ readonly kind: "second_step" } & NeededStep)
  /** `accountLimited`: the account has many failures, so this source has only a few attempts left. */
  | { readonly kind: "failure"; readonly account: Account | null; readonly accountLimited: boolean }
  | ({ readonly kind: "throttled"; readonly account: Account | null } & Throttled);

/** A log-in that succeeded. */
export type SuccessfulLogIn = Extract<LogInOutcome, { kind: "success" }>;

type UserRow = Account & { readonly passwordHash: string | null; readonly suspendedAt: Date | null };

/** Dependencies of a log-in. */
export type LogInOptions = {
  /** Hashes the typed e-mail address, which may be a password, before it is stored with a failure. */
  readonly key: Uint8Array;
  readonly clock: { now(): Date };
  /** Runs in the transaction that starts the session. */
  readonly onSuccess?: (tx: Tx, logIn: SuccessfulLogIn) => Promise<void>;
};

// One attempt at a time per source: of many at once, those after the tenth failure are rejected without hashing.
const attemptsBySource = new Gates(1, 1_000);

/**
 * Logs in by e-mail address and password. An unknown address, a wrong password, a user without a password and a suspended
 * user get the same answer in the same time: the password is always hashed once. An attempt is counted when its hash is
 * known, one after another for a source and an account, so that the limits are exact for any number of concurrent attempts.
 * A user with a second factor gets no session yet: `completeWithSecondFactor` starts it.
 * @throws {BusyError} if too many attempts are waiting.
 */
export function logIn(database: Database, input: LogIn, options: LogInOptions): Promise<LogInOutcome> {
  const email = input.email.trim().toLowerCase();
  const account = createHmac("sha256", options.key).update(email).digest("base64url");
  const attempt = { source: `address:${input.network}`, account: `account:${account}` };
  return attemptsBySource.run(attempt.source, () => decide(database, { ...input, email }, attempt, options));
}

async function decide(
  database: Database,
  input: LogIn,
  attempt: Attempt,
  { clock, onSuccess }: LogInOptions,
): Promise<LogInOutcome> {
  const user = await findUser(database, input.email);
  const account = user === null ? null : { teamId: user.teamId, userId: user.userId };
  const { throttled } = await readStanding(database, attempt, clock.now());
  if (throttled !== null) return { kind: "throttled", account, ...throttled };

  const matches = await verifyPassword(user?.passwordHash ?? decoyHash, input.password);
  const verified = matches && user !== null && user.passwordHash !== null ? user : null;
  return database.transaction(async (tx) => {
    const outcome = await settle(tx, attempt, { input, account, verified, now: clock.now() });
    if (outcome.kind === "success") await onSuccess?.(tx, outcome);
    return outcome;
  });
}

/** A checked attempt; `verified` is the user if the password matched. */
type CheckedAttempt = { input: LogIn; account: Account | null; verified: UserRow | null; now: Date };

async function settle(
  tx: Tx,
  attempt: Attempt,
  { input, account, verified, now }: CheckedAttempt,
): Promise<LogInOutcome> {
  const { throttled, accountLimited } = await lockStanding(tx, attempt, now);
  if (throttled !== null) return { kind: "throttled", account, ...throttled };
  if (verified === null || !(await isStillValid(tx, verified))) {
    await recordFailure(tx, attempt, now);
    return { kind: "failure", account, accountLimited };
  }
  const { teamId, userId } = verified;
  const firstStep = await findFirstStep(tx, { teamId, userId });
  if (firstStep !== null) return { kind: "second_step", ...firstStep };
  const { address, userAgent } = input;
  const session = await createSession(tx, { teamId, userId, address, userAgent }, now);
  return { kind: "success", account: { teamId, userId }, session };
}

/** Whether the password was not changed, and the user not suspended, while the hash was computed. */
async function isStillValid(tx: Tx, { teamId, userId, passwordHash }: UserRow): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM users WHERE "teamId" = ${teamId}::uuid AND id = ${userId}::uuid
      AND "passwordHash" = ${passwordHash} AND "suspendedAt" IS NULL FOR SHARE`);
  return rows.length === 1;
}

async function findUser(database: Database, email: string): Promise<UserRow | null> {
  // PostgreSQL does not accept NUL, so no address contains it.
  if (email.includes("\0")) return null;
  const [row] = await database.beforeTeam.rows<UserRow>(
    sql`SELECT "teamId", id AS "userId", "passwordHash", "suspendedAt" FROM users WHERE email = ${email}`,
  );
  return row ?? null;
}
