/** A clock that moves only when a test moves it. */
export type TestClock = {
  now(): Date;
  /** Moves on by so many milliseconds. */
  advance(ms: number): void;
  /** Jumps to a moment, also backwards. */
  set(moment: Date | string): void;
};

/** A clock that stands at a moment; without one, at the present, so that rows made by the real time are in its past. */
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
