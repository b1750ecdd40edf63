/** How long other pages of this browser have to say that a record is theirs. */
const answerMs = 300;

/** The lock of the tab that has the record of a session. */
export const lockOfSession = (key: string): string => `kb-session:${key}`;

/**
 * Takes something that one page of this browser has at a time, until it is closed. Returns a function that gives it back; undefined
 * where another page has it, also after `waitMs`: a page that is loaded again may still be leaving.
 */
export function takeLock(name: string, waitMs: number): Promise<(() => void) | undefined> {
  const { locks } = navigator as { readonly locks?: LockManager };
  // Browsers have them on secure origins only.
  return locks === undefined ? takeByAsking(name) : takeFrom(locks, name, waitMs);
}

function takeFrom(locks: LockManager, name: string, waitMs: number): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const hold = (): Promise<void> => new Promise((release) => resolve(release));
    // It is rejected once the time is over.
    locks.request(name, { signal: AbortSignal.timeout(waitMs) }, hold).catch(() => resolve(undefined));
  });
}

/** Asks the other pages. Of two that ask at once, the one with the lower number has it. */
async function takeByAsking(name: string): Promise<(() => void) | undefined> {
  const channel = new BroadcastChannel(name);
  const own = Math.random();
  let isHeld = false;
  let isTaken = false;
  channel.onmessage = ({ data }: MessageEvent<number | "taken">) => {
    if (data === "taken") isTaken = true;
    else if (isHeld || own < data) channel.postMessage("taken");
  };
  channel.postMessage(own);
  await new Promise((resolve) => setTimeout(resolve, answerMs));
  isHeld = !isTaken;
  if (isHeld) return () => channel.close();
  channel.close();
  return undefined;
}
