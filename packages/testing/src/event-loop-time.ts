import { onTestFinished, vi } from "vitest";

const stepMs = 10;

/**
 * Lets timers and `performance` of this process go on by the turns of its event loop, at most 10 ms with each: time for which a busy
 * machine leaves the process without a processor does not pass, nor does that of a call that blocks the event loop. `expect.poll` moves
 * this clock on by itself: write a loop instead. Timers that exist already keep the clock of the machine, so call this before anything that
 * is measured is opened. Returns a function that restores that clock.
 */
export function useEventLoopTime(): () => void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
    shouldAdvanceTime: true,
    advanceTimeDelta: stepMs,
  });
  return () => void vi.useRealTimers();
}

/**
 * Starts to measure the time that the event loop of this process has, in steps of 10 ms, and replaces no clock; ends with the test. Returns
 * a function that returns these milliseconds so far: less than on the clock of the machine while other processes keep the processors
 * busy. Time in which a call blocks the event loop does not count either, so measure that with `threadMs`.
 */
export function startStopwatch(): () => number {
  let passedMs = 0;
  const counting = setInterval(() => {
    passedMs += stepMs;
  }, stepMs).unref();
  onTestFinished(() => clearInterval(counting));
  return () => passedMs;
}
