import { boot } from "../app/boot.ts";
import { onDeviceChange } from "./device-changes.ts";
import { countKept } from "./kept-on-device.ts";

/** While somebody writes, text is kept and, once it is saved, deleted, several times a second: it is counted at most this often. */
const pauseMs = 500;

let count = 0;
let isPlanned = false;
const listeners = new Set<() => void>();

function recountSoon(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    void recount();
  }, pauseMs);
}

async function recount(): Promise<void> {
  // Without storage on the device nothing is kept.
  const next = await countKept(boot().app.user.id).catch(() => 0);
  if (next === count) return;
  count = next;
  for (const listener of listeners) listener();
}

/** The number of documents of which only this device has the latest text, for `useSyncExternalStore`. */
export const pendingChanges = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    // Each has a function of its own: one that ended a shared function would end it for all.
    const end = onDeviceChange(() => recountSoon());
    void recount();
    return () => {
      listeners.delete(listener);
      end();
    };
  },
  read: (): number => count,
};
