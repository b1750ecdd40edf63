/** `lastUsedAt` of a credential is written at most once in this time. */
const everyMs = 60_000;

const before = (now: Date): Date => new Date(now.getTime() - everyMs);

/** Whether the use of a credential must be recorded. */
export const isUseDue = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || lastUsedAt <= before(now);

/** Returns the same as a condition: of concurrent uses, one is written. */
export const whereUseDue = (now: Date) => ({ OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before(now) } }] });
