import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { BusyError, Gate } from "./gate.ts";

it("so many run at once, in the order in which they came", async () => {
  const gate = new Gate(2, 100);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      gate.run(async () => {
        order.push(index);
        running += 1;
        most = Math.max(most, running);
        await pause(1);
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

it("who comes where too many wait is turned away at once, and the others are served", async () => {
  const gate = new Gate(1, 3);
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => gate.run(async () => index)));
  expect(results.map((result) => result.status)).toEqual([
    ...Array.from({ length: 4 }, () => "fulfilled"),
    ...Array.from({ length: 6 }, () => "rejected"),
  ]);
  expect(results[9]).toMatchObject({ reason: expect.any(BusyError) });
  expect(await gate.run(async () => "free again")).toBe("free again");
});

it("work that fails gives its place back", async () => {
  const gate = new Gate(1, 10);
  const failing = Array.from({ length: 5 }, () =>
    gate.run(async () => {
      throw new Error("of the work");
    }),
  );
  for (const result of await Promise.allSettled(failing)) expect(result.status).toBe("rejected");
  expect(await gate.run(async () => 1)).toBe(1);
});
