import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { BusyError, Gate, Gates } from "./gate.ts";

it("runs at most the allowed number of tasks at once, in the order of their arrival", async () => {
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

it("rejects a task at once if the queue is full, and still runs the queued ones", async () => {
  const gate = new Gate(1, 3);
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => gate.run(async () => index)));
  expect(results.map((result) => result.status)).toEqual([
    ...Array.from({ length: 4 }, () => "fulfilled"),
    ...Array.from({ length: 6 }, () => "rejected"),
  ]);
  expect(results[9]).toMatchObject({ reason: expect.any(BusyError) });
  expect(await gate.run(async () => "free again")).toBe("free again");
});

it("frees the slot of a task that fails", async () => {
  const gate = new Gate(1, 10);
  const failing = Array.from({ length: 5 }, () =>
    gate.run(async () => {
      throw new Error("of the work");
    }),
  );
  for (const result of await Promise.allSettled(failing)) expect(result.status).toBe("rejected");
  expect(await gate.run(async () => 1)).toBe(1);
});

it("each key has its own gate, which is removed when it is idle", async () => {
  const gates = new Gates(1, 2);
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await pause(5);
    order.push(`${name} ends`);
  };
  const results = [gates.run("a", work("first")), gates.run("a", work("second")), gates.run("b", work("other"))];
  expect(gates.size).toBe(2);
  await Promise.all(results);
  expect(order.indexOf("first ends")).toBeLessThan(order.indexOf("second begins"));
  expect(order.indexOf("other begins")).toBeLessThan(order.indexOf("first ends"));
  const many = await Promise.allSettled(Array.from({ length: 5 }, (_, index) => gates.run("a", work(`${index}`))));
  expect(many.filter((result) => result.status === "rejected")).toHaveLength(2);
  expect(gates.size).toBe(0);
});
