import { setImmediate as nextPass } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a pass of the event loop in which it resolves for nobody else. The large parts of several answers then never delay a
 * request by the sum of their times.
 */
export function ownPass(): Promise<void> {
  last = last.then(() => nextPass());
  return last;
}
