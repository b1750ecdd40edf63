import { expect, it } from "vitest";
import { disasters } from "./disasters.ts";
import { runChaos } from "./run-chaos.ts";

it("while people and assistants write, all that can fail fails once: acknowledged text is in the log once, and every reader sees the same", {
  meta: { proves: ["live.failure.instance-killed", "live.failure.database-killed"] },
  timeout: 600_000,
}, async () => {
  const { people, assistants, problems } = await runChaos({
    peopleInDocument: 2,
    calmMs: 250,
    goesOn: (count) => count < disasters.length,
    report: (line) => console.info(line),
  });
  expect(problems).toEqual([]);
  // A writer who writes nothing proves nothing.
  for (const { acknowledged } of people) expect(acknowledged.length).toBeGreaterThan(disasters.length);
  for (const { done } of assistants) expect(Math.min(done.appended, done.replaced, done.read)).toBeGreaterThan(0);
});
