import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { Announcer } from "./announcer.ts";
import type { Sql } from "./sql.ts";

/** Returns an announcer, and the payloads of each statement that it has sent. */
function record(intervalMs: number, execute: () => Promise<void> = async () => {}) {
  const sent: unknown[] = [];
  const announcer = new Announcer(async ({ values }: Sql) => {
    sent.push(values[1]);
    await execute();
  }, intervalMs);
  return { announcer, sent, say: (payload: string) => announcer.announce({ channel: "kb", payload }) };
}

it("the first announcement is sent at once, and those that soon follow it together, equal ones once", async () => {
  const { announcer, sent, say } = record(300);
  say("a");
  await pause(50);
  expect(sent).toEqual([["a"]]);
  for (const payload of ["b", "c", "b", "a"]) say(payload);
  await pause(50);
  expect(sent).toEqual([["a"]]);
  await announcer.idle();
  expect(sent).toEqual([["a"], ["b", "c", "a"]]);
});

it("an announcement after the interval is sent at once, also after a statement that failed", async () => {
  const { announcer, sent, say } = record(40, () => Promise.reject(new Error("away")));
  say("a");
  await pause(100);
  say("b");
  await pause(10);
  expect(sent).toEqual([["a"], ["b"]]);
  await announcer.idle();
});

it("what arrives while a statement runs is sent by the next", async () => {
  const first = Promise.withResolvers<void>();
  const { announcer, sent, say } = record(0, () => first.promise);
  say("a");
  await pause(10);
  say("b");
  say("c");
  await pause(10);
  expect(sent).toEqual([["a"]]);
  first.resolve();
  await announcer.idle();
  expect(sent).toEqual([["a"], ["b", "c"]]);
});
