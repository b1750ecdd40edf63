import { type Sql, sql } from "@kb/db";

/** `lastUsedAt` of a credential is written at most once in this time. */
const everyMs = 60_000;

const before = (now: Date): Date => new Date(now.getTime() - everyMs);

/** Whether the use of a credential must be recorded. */
export const isUseDue = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || lastUsedAt <= before(now);

/**
 * Returns the assignment and the condition of the same as the end of an UPDATE: of concurrent uses, one is written. The
 * statements of a use are raw, because every request may send them: the models would load Prisma's client.
 * @param row the condition that selects the row
 */
export const recordedUse = (now: Date, row: Sql): Sql =>
  sql`SET "lastUsedAt" = ${now} WHERE ${row} AND ("lastUsedAt" IS NULL OR "lastUsedAt" <= ${before(now)})`;
