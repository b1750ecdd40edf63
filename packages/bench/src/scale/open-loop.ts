import { Agent } from "node:http";
import { send, type Target } from "../load.ts";
import type { Scenario } from "../scenarios.ts";

/**
 * Sends requests at an even rate for so many milliseconds, each at its time whether or not those before it have been
 * answered, and gives how long each took from the moment at which it was due: what waits in a queue counts as waiting.
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
