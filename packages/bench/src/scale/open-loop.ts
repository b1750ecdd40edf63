import { Agent } from "node:http";
import { send, type Target } from "../load.ts";
import type { Scenario } from "../scenarios.ts";

/**
 * Sends requests at an even rate for `durationMs`, without waiting for earlier responses. Returns the milliseconds of each
 * from the time at which it was due, so that time in a queue counts.
 */
export async function openLoop(
  target: Target,
  scenario: Scenario,
  from: number,
  perSecond: number,
  durationMs: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const count = Math.max(1, Math.floor((perSecond * durationMs) / 1_000));
  const started = performance.now();
  const one = async (n: number): Promise<number> => {
    const due = started + (n * 1_000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    await send(agent, target, scenario, from + n);
    return performance.now() - due;
  };
  try {
    return await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
  } finally {
    agent.destroy();
  }
}
