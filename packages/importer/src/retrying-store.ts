import { setTimeout as wait } from "node:timers/promises";
import { isTemporary } from "./is-temporary.ts";
import type { Store } from "./store.ts";

type Retries = {
  /** Called before each wait. */
  readonly onWait: (seconds: number) => void;
  /** Ends a wait; nothing is repeated afterwards. */
  readonly signal: AbortSignal;
  /** The waits between attempts, in seconds. Default: two minutes in all. */
  readonly waits?: readonly number[];
};

const defaultWaits: readonly number[] = [1, 2, 4, 8, 15, 30, 60];

/** Repeats what fails because PostgreSQL is too slow or saturated for a while: an import of thousands of pages outlasts that. */
export function retryingStore(store: Store, retries: Retries): Store {
  const { onWait, signal, waits = defaultWaits } = retries;
  const repeat = async <T>(work: (isRepeated: boolean) => Promise<T>): Promise<T> => {
    for (const [attempt, seconds] of waits.entries()) {
      try {
        return await work(attempt > 0);
      } catch (error) {
        if (!isTemporary(error) || signal.aborted) throw error;
        onWait(seconds);
        await wait(seconds * 1_000, undefined, { signal });
      }
    }
    return work(true);
  };
  return {
    existing: () => repeat(() => store.existing()),
    documentUrl: store.documentUrl,
    markdown: (id) => repeat(() => store.markdown(id)),
    create: (placed, draft, body) =>
      repeat(async (isRepeated) => {
        // The answer to the write before may have been lost.
        if (isRepeated && (await store.markdown(placed.id)) !== null) return;
        await store.create(placed, draft, body);
      }),
    update: (placed, draft, body) => repeat(() => store.update(placed, draft, body)),
    replaceBody: (id, body) => repeat(() => store.replaceBody(id, body)),
    attach: (path, documentId) => repeat(() => store.attach(path, documentId)),
  };
}
