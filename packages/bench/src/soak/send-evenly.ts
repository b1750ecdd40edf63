import { pause } from "./process-state.ts";
import type { Sender } from "./requests.ts";

/** Sends requests at an even rate for `seconds`, without waiting for earlier responses. Resolves when all have ended. */
export async function sendEvenly(send: Sender, perSecond: number, seconds: number): Promise<void> {
  const started = performance.now();
  const running = new Set<Promise<void>>();
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const due = started + (n * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    const call = send(n).finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
}
