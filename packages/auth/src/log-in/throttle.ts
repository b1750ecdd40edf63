import { type Database, join, newId, type Reader, sql, type Tx } from "@kb/db";

const windowMs = 15 * 60_000;
/** Failures of one source within the window, unless the attempt has a limit of its own. */
const maxPerSource = 10;
/** Failures at one account within the window, from any source. */
const maxPerAccount = 10;
/** Failures of each source at an account that has reached its limit. */
const maxPerSourceAtLimitedAccount = 3;

/** The source and the account of an attempt, as they may be stored. */
export type Attempt = {
  readonly source: string;
  /** Undefined if the source is the account itself. */
  readonly account?: string;
  /** Failures of the source within the window. */
  readonly limit?: number;
};

/** An attempt that is rejected unchecked. */
export type Throttled = { readonly retryAfterSeconds: number };

/** The state of the limits before an attempt. */
export type Standing = {
  readonly throttled: Throttled | null;
  /** Whether the account has reached its limit, so that each source has only a few attempts left. */
  readonly accountLimited: boolean;
};

/**
 * Reads the limits for an attempt. A source with ten failures in 15 minutes must wait. After ten failures at an account, each
 * source has three attempts at it: a distributed attack gains little and does not lock out the owner, who comes from another
 * source and knows the password.
 */
export async function readStanding(reader: Reader, attempt: Attempt, now: Date): Promise<Standing> {
  const subjects = subjectsOf(attempt);
  const rows = await reader.rows<{ subject: string; failures: number; oldest: Date }>(sql`
    SELECT subject, count(*)::int AS failures, min(at) AS oldest FROM login_failures
    WHERE subject = ANY(${Object.values(subjects)}) AND at > ${new Date(now.getTime() - windowMs)} GROUP BY subject`);
  const find = (subject: string | undefined) => rows.find((row) => row.subject === subject);
  const waitFor = (subject: string | undefined): Throttled => {
    const until = (find(subject)?.oldest ?? now).getTime() + windowMs;
    return { retryAfterSeconds: Math.max(1, Math.ceil((until - now.getTime()) / 1000)) };
  };
  const failures = (subject: string | undefined): number => find(subject)?.failures ?? 0;

  const accountLimited = failures(subjects.account) >= maxPerAccount;
  if (failures(subjects.source) >= (attempt.limit ?? maxPerSource))
    return { throttled: waitFor(subjects.source), accountLimited };
  const exhausted = accountLimited && failures(subjects.pair) >= maxPerSourceAtLimitedAccount;
  return { throttled: exhausted ? waitFor(subjects.pair) : null, accountLimited };
}

/**
 * Reads the limits and locks them until the transaction ends: other attempts of this source and at this account wait, so the
 * decision is exact for any number of concurrent attempts.
 */
export async function lockStanding(tx: Tx, attempt: Attempt, now: Date): Promise<Standing> {
  const { source, account } = subjectsOf(attempt);
  // Locks sources before accounts, so that attempts never deadlock.
  for (const subject of [source, account]) {
    if (subject !== undefined) await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${subject}, 0))`);
  }
  return readStanding(tx, attempt, now);
}

/** Records a failure and deletes some that are older than the window. */
export async function recordFailure(tx: Tx, attempt: Attempt, now: Date): Promise<void> {
  const failures = Object.values(subjectsOf(attempt)).map((subject) => sql`(${newId()}::uuid, ${subject}, ${now})`);
  await tx.execute(sql`INSERT INTO login_failures (id, subject, at) VALUES ${join(failures)}`);
  await tx.execute(sql`DELETE FROM login_failures WHERE id IN (
    SELECT id FROM login_failures WHERE at <= ${new Date(now.getTime() - windowMs)} LIMIT 100 FOR UPDATE SKIP LOCKED)`);
}

/**
 * Counts one attempt at a secret outside of a log-in, such as the code of the first start. Returns how long to wait if the attempt
 * was throttled; null if it counts as correct or wrong.
 */
export async function settleAttempt(
  database: Database,
  attempt: Attempt,
  correct: boolean,
  now: Date,
): Promise<Throttled | null> {
  return database.transaction(async (tx) => {
    const { throttled } = await lockStanding(tx, attempt, now);
    if (throttled === null && !correct) await recordFailure(tx, attempt, now);
    return throttled;
  });
}

function subjectsOf({ source, account }: Attempt): { source: string; account?: string; pair?: string } {
  return account === undefined ? { source } : { source, account, pair: `${account} ${source}` };
}
