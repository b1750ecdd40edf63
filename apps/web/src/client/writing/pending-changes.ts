import { boot } from "../app/boot.ts";
import { countDrafts, onDraftChange } from "./draft-store.ts";

let count = 0;
const listeners = new Set<() => void>();

async function recount(): Promise<void> {
  // Without storage on the device there are no drafts.
  const next = await countDrafts(boot().app.user.id).catch(() => 0);
  if (next === count) return;
  count = next;
  for (const listener of listeners) listener();
}

/** The number of documents of which only this device has the latest text, for `useSyncExternalStore`. */
export const pendingChanges = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    const end = onDraftChange(() => void recount());
    void recount();
    return () => {
      listeners.delete(listener);
      end();
    };
  },
  read: (): number => count,
};
