/** Clock that advances only when a test advances it. */
export type TestClock = {
  now(): Date;
  /** Advances the clock by a number of milliseconds. */
  advance(ms: number): void;
  /** Sets the time, which may also be earlier. */
  set(moment: Date | string): void;
};

/** Creates a stopped clock. It starts at the present by default, so that rows written with real time are in its past. */
export function testClock(start: Date | string = new Date()): TestClock {
  let nowMs = new Date(start).getTime();
  return {
    now: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
    set: (moment) => {
      nowMs = new Date(moment).getTime();
    },
  };
}
