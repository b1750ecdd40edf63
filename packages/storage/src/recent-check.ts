const renewedAfterMs = 15_000;
const keptMs = 30_000;

/**
 * Returns a function that tells whether a check succeeds. Its answer is that of the last check, if it began at most 30 s ago; from 15 s on,
 * it begins the next one meanwhile. Without such an answer, all callers wait for one check together.
 */
export function recentCheck(check: () => Promise<void>, now = () => performance.now()): () => Promise<boolean> {
  let last = { at: Number.NEGATIVE_INFINITY, succeeds: false };
  let running: Promise<boolean> | undefined;
  const run = async (): Promise<boolean> => {
    const at = now();
    const succeeds = await check().then(
      () => true,
      () => false,
    );
    last = { at, succeeds };
    running = undefined;
    return succeeds;
  };
  return async () => {
    const age = now() - last.at;
    if (age > renewedAfterMs) running ??= run();
    return age <= keptMs || running === undefined ? last.succeeds : running;
  };
}
