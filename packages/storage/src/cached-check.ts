const renewedAfterMs = 15_000;
const freshMs = 30_000;
const waitMs = 500;
const slowAfterMs = 20_000;
const givenUpAfterMs = 60_000;

/** Called when a check fails that succeeded before, with the error, and with `undefined` when it succeeds again. */
export type OnCheckChange = (error: Error | undefined) => void;

/**
 * Returns a function that tells whether a check succeeds. The first answer waits for the check; later ones are that of the last check.
 * After 15 s it starts the next check in the background. An answer older than 30 s waits half a second for that check, so that probes far
 * apart see a change at once, and a slow check that succeeds does not count as a failure. A check fails after 20 s, and succeeds after all
 * if it ends well within 60 s; then the next one can begin.
 */
export function cachedCheck(check: () => Promise<void>, onChange: OnCheckChange = () => {}): () => Promise<boolean> {
  let last: { readonly at: number; readonly succeeds: boolean } | undefined;
  let running: Promise<boolean> | undefined;

  const note = (at: number, error?: Error): boolean => {
    const succeeds = error === undefined;
    const succeeded = last?.succeeds ?? true;
    last = { at, succeeds };
    if (succeeds !== succeeded) onChange(error);
    return succeeds;
  };

  const run = async (): Promise<boolean> => {
    const at = performance.now();
    const slow = setTimeout(() => note(at, noAnswer(slowAfterMs)), slowAfterMs).unref();
    const late = Promise.withResolvers<never>();
    const givenUp = setTimeout(() => late.reject(noAnswer(givenUpAfterMs)), givenUpAfterMs).unref();
    try {
      await Promise.race([check(), late.promise]);
      return note(at);
    } catch (error) {
      return note(at, error instanceof Error ? error : new Error("the check failed", { cause: error }));
    } finally {
      clearTimeout(slow);
      clearTimeout(givenUp);
      running = undefined;
    }
  };

  return async () => {
    const age = performance.now() - (last?.at ?? Number.NEGATIVE_INFINITY);
    if (age > renewedAfterMs) running ??= run();
    if (last === undefined) return running ?? false;
    if (age > freshMs && running !== undefined) await Promise.race([running, pause(waitMs)]);
    return last.succeeds;
  };
}

const noAnswer = (ms: number): Error => new Error(`no answer within ${ms / 1000} s`);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
