import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { withLock } from "../src/build/lock.ts";

const folder = mkdtempSync(join(tmpdir(), "kb-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a build that was killed holds up no later one", async () => {
  const lock = join(folder, "killed.pid");
  const { pid } = spawnSync(process.execPath, ["--eval", ""]);
  writeFileSync(lock, String(pid));
  expect(await withLock(lock, async () => "built")).toBe("built");
  expect(existsSync(lock)).toBe(false);
});

it("a build waits until the one that runs has ended, also with a failure", async () => {
  const lock = join(folder, "running.pid");
  const begun = Promise.withResolvers<void>();
  const failing = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = withLock(lock, async () => {
    begun.resolve();
    await failing.promise;
  }).catch(() => order.push("first"));
  await begun.promise;
  const second = withLock(lock, async () => order.push("second"));
  failing.reject(new Error("The build failed"));
  await Promise.all([first, second]);
  expect(order).toEqual(["first", "second"]);
});
