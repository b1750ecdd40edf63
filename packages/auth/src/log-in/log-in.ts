import { createHmac } from "node:crypto";
import { type Database, sql, type Tx } from "@kb/db";
import { Gates } from "../gate.ts";
import { decoyHash, verifyPassword } from "../password.ts";
import { createSession } from "../sessions/store.ts";
import { type Attempt, lockedStandingOf, noteFailure, standingOf, type Throttled } from "./throttle.ts";

/** What somebody sends to log in. */
export type LogIn = {
  readonly email: string;
  readonly password: string;
  /** The client's address, to be shown among the user's log-ins. */
  readonly address: string;
  /** What failures are counted by: the address, or the network of an address of which one client has many. */
  readonly network: string;
  readonly userAgent?: string | undefined;
};

/** Who was meant, where somebody was. */
export type Account = { readonly teamId: string; readonly userId: string };

/** What came of it. `account` is for the audit log alone: the client learns nothing of whether there is one. */
export type LogInOutcome =
  | { readonly kind: "in"; readonly account: Account; readonly session: { id: string; token: string } }
  /** `beset`: the account has many failures, and this address few tries left. */
  | { readonly kind: "wrong"; readonly account: Account | null; readonly beset: boolean }
  | ({ readonly kind: "throttled"; readonly account: Account | null } & Throttled);

/** Somebody who got in. */
export type Arrived = Extract<LogInOutcome, { kind: "in" }>;

type UserRow = Account & { readonly passwordHash: string | null; readonly suspendedAt: Date | null };

/** How to log in: what the failures are kept under, the time, and what to do when somebody got in. */
export type LogInOptions = {
  /** Keeps what was typed as an e-mail, which may be a password, from being read in the table of failures. */
  readonly key: Uint8Array;
  readonly clock: { now(): Date };
  /** Runs in the transaction that begins the session. */
  readonly onArrival?: (tx: Tx, arrived: Arrived) => Promise<void>;
};

// One address at a time: of many at once from there, those after the tenth failure are turned away without a hash.
const bySource = new Gates(1, 1_000);

/**
 * Logs in by e-mail and password. An unknown address, a wrong password, a user without one and a suspended one are told
 * alike and take as long: the password is always hashed once. Whether an attempt counts is decided when its hash is known,
 * one after another for an address and an account: of any number at once no more than the bound are answered.
 * @throws {BusyError} where too many wait already.
 */
export function logIn(database: Database, attempt: LogIn, options: LogInOptions): Promise<LogInOutcome> {
  const email = attempt.email.trim().toLowerCase();
  const counted = { source: `address:${attempt.network}`, account: `account:${sealed(options.key, email)}` };
  return bySource.run(counted.source, () => decide(database, { ...attempt, email }, counted, options));
}

async function decide(
  database: Database,
  attempt: LogIn,
  counted: Attempt,
  { clock, onArrival }: LogInOptions,
): Promise<LogInOutcome> {
  const user = await findUser(database, attempt.email);
  const account = user === null ? null : { teamId: user.teamId, userId: user.userId };
  const { throttled } = await standingOf(database, counted, clock.now());
  if (throttled !== null) return { kind: "throttled", account, ...throttled };
  const matches = await verifyPassword(user?.passwordHash ?? decoyHash, attempt.password);
  const known = matches && user !== null && user.passwordHash !== null ? user : null;
  return database.transaction(async (tx) => {
    const outcome = await settle(tx, counted, { attempt, account, known, now: clock.now() });
    if (outcome.kind === "in") await onArrival?.(tx, outcome);
    return outcome;
  });
}

/** `known` is the user whose password it was. */
type Checked = { attempt: LogIn; account: Account | null; known: UserRow | null; now: Date };

async function settle(tx: Tx, counted: Attempt, { attempt, account, known, now }: Checked): Promise<LogInOutcome> {
  const { throttled, accountBeset } = await lockedStandingOf(tx, counted, now);
  if (throttled !== null) return { kind: "throttled", account, ...throttled };
  if (known === null || !(await stillHolds(tx, known))) {
    await noteFailure(tx, counted, now);
    return { kind: "wrong", account, beset: accountBeset };
  }
  const { teamId, userId } = known;
  const { address, userAgent } = attempt;
  const session = await createSession(tx, { teamId, userId, address, userAgent }, now);
  return { kind: "in", account: { teamId, userId }, session };
}

/** A password that was changed, or a user who was suspended, while the hash was computed does not let in. */
async function stillHolds(tx: Tx, { teamId, userId, passwordHash }: UserRow): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM users WHERE "teamId" = ${teamId}::uuid AND id = ${userId}::uuid
      AND "passwordHash" = ${passwordHash} AND "suspendedAt" IS NULL FOR SHARE`);
  return rows.length === 1;
}

async function findUser(database: Database, email: string): Promise<UserRow | null> {
  // PostgreSQL has no NUL, and nobody an address with one.
  if (email.includes("\0")) return null;
  const [row] = await database.beforeTeam.rows<UserRow>(
    sql`SELECT "teamId", id AS "userId", "passwordHash", "suspendedAt" FROM users WHERE email = ${email}`,
  );
  return row ?? null;
}

const sealed = (key: Uint8Array, text: string): string => createHmac("sha256", key).update(text).digest("base64url");
