import { expect, it } from "vitest";
import { ownPass } from "./own-pass.ts";

it("of many answers, one has a part in a pass of the event loop, in the order in which they asked", async () => {
  let pass = 0;
  let isRunning = true;
  const countPasses = (): void => {
    pass += 1;
    if (isRunning) setImmediate(countPasses);
  };
  setImmediate(countPasses);
  const resumed: { name: number; pass: number }[] = [];
  const send = async (name: number): Promise<void> => {
    for (let part = 0; part < 5; part += 1) {
      await ownPass();
      resumed.push({ name, pass });
    }
  };
  await Promise.all([send(0), send(1), send(2)]);
  isRunning = false;
  expect(new Set(resumed.map(({ pass: at }) => at)).size).toBe(15);
  expect(resumed.map(({ name }) => name)).toEqual(Array.from({ length: 15 }, (_, index) => index % 3));
});
