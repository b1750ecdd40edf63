/** `lastUsedAt` of a credential is written at most this often. */
const everyMs = 60_000;

const before = (now: Date): Date => new Date(now.getTime() - everyMs);

/** Whether the use of a credential is to be noted. */
export const isUseDue = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || lastUsedAt <= before(now);

/** The same as a condition: it makes one write of many that race. */
export const whereUseDue = (now: Date) => ({ OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: before(now) } }] });
