import { boot } from "../app/boot.ts";
import { onDeviceChange } from "./device-changes.ts";
import { countKept } from "./kept-on-device.ts";

let count = 0;
const listeners = new Set<() => void>();

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
    const end = onDeviceChange(() => void recount());
    void recount();
    return () => {
      listeners.delete(listener);
      end();
    };
  },
  read: (): number => count,
};
