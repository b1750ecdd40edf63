import { type Database, newId, type Reader, sql, type Tx } from "@kb/db";

const windowMs = 15 * 60_000;
/** Failures within the window, from one source. */
const perSource = 10;
/** The same against one account, from wherever they came. */
const perAccount = 10;
/** What each source may still fail at an account that has reached its bound. */
const perSourceAfterwards = 3;

/** Where an attempt comes from, and at which account it is made; both as they may be stored. */
export type Attempt = {
  readonly source: string;
  /** Absent where the source is the account itself. */
  readonly account?: string;
};

/** What is to be told of an attempt that is not looked at. */
export type Throttled = { readonly retryAfterSeconds: number };

/** How things stand before an attempt. */
export type Standing = {
  readonly throttled: Throttled | null;
  /** The account has reached its bound: each source has a few tries left, whoever sits there. */
  readonly accountBeset: boolean;
};

/**
 * How an attempt stands: ten failures in 15 minutes from a source, and it has to wait. Ten at an account, from wherever
 * they came, and each source has three tries at it: who fails there from everywhere gains little, and does not lock its
 * owner out, who comes from somewhere else and knows the password.
 */
export async function standingOf(reader: Reader, attempt: Attempt, now: Date): Promise<Standing> {
  const subjects = subjectsOf(attempt);
  const rows = await reader.rows<{ subject: string; failures: number; oldest: Date }>(sql`
    SELECT subject, count(*)::int AS failures, min(at) AS oldest FROM login_failures
    WHERE subject = ANY(${Object.values(subjects)}) AND at > ${new Date(now.getTime() - windowMs)} GROUP BY subject`);
  const found = (subject: string | undefined) => rows.find((row) => row.subject === subject);
  const waitFor = (subject: string | undefined): Throttled => {
    const until = (found(subject)?.oldest ?? now).getTime() + windowMs;
    return { retryAfterSeconds: Math.max(1, Math.ceil((until - now.getTime()) / 1000)) };
  };
  const failures = (subject: string | undefined): number => found(subject)?.failures ?? 0;
  const accountBeset = failures(subjects.account) >= perAccount;
  if (failures(subjects.source) >= perSource) return { throttled: waitFor(subjects.source), accountBeset };
  const spent = accountBeset && failures(subjects.pair) >= perSourceAfterwards;
  return { throttled: spent ? waitFor(subjects.pair) : null, accountBeset };
}

/**
 * As `standingOf`, and keeps every other attempt from this source and at this account waiting until the transaction ends:
 * what is decided on it is exact, however many come at once.
 */
export async function lockedStandingOf(tx: Tx, attempt: Attempt, now: Date): Promise<Standing> {
  const { source, account } = subjectsOf(attempt);
  // Sources before accounts, always: nobody waits in a circle.
  for (const subject of [source, account]) {
    if (subject !== undefined) await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`);
  }
  return standingOf(tx, attempt, now);
}

/** Writes a failure down; those that count no longer go. */
export async function noteFailure(tx: Tx, attempt: Attempt, now: Date): Promise<void> {
  const data = Object.values(subjectsOf(attempt)).map((subject) => ({ id: newId(), subject, at: now }));
  await tx.loginFailure.createMany({ data });
  await tx.execute(sql`DELETE FROM login_failures WHERE id IN (
    SELECT id FROM login_failures WHERE at <= ${new Date(now.getTime() - windowMs)} LIMIT 100 FOR UPDATE SKIP LOCKED)`);
}

/**
 * Counts one secret that was asked for again and may have been guessed, such as the present password before it is changed.
 * Gives null where the attempt counted for nothing else than being right or wrong; else how long to wait.
 */
export async function settleAttempt(
  database: Database,
  attempt: Attempt,
  right: boolean,
  now: Date,
): Promise<Throttled | null> {
  return database.transaction(async (tx) => {
    const { throttled } = await lockedStandingOf(tx, attempt, now);
    if (throttled === null && !right) await noteFailure(tx, attempt, now);
    return throttled;
  });
}

function subjectsOf({ source, account }: Attempt): { source: string; account?: string; pair?: string } {
  return account === undefined ? { source } : { source, account, pair: `${account} ${source}` };
}
