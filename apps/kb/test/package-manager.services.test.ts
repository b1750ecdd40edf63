import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@kb/db/testing";
import { expect, it } from "vitest";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

it("the command of the README stops on Ctrl-C, and its package manager prints no error", {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kb-ctrl-c-"));
  const env = { ...process.env, DATABASE_URL: "", REDIS_URL: "", PORT: String(await freePort()), KB_DATA_DIR: folder };
  // A process group of its own: a terminal sends the signal of Ctrl-C to the whole group.
  const start = spawn("npx", ["--yes", "pnpm@10.34.9", "start"], { cwd: repository, env, detached: true });
  let output = "";
  for (const stream of [start.stdout, start.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const closed = once(start, "close");
  try {
    await expect.poll(() => output, { timeout: 150_000, interval: 200 }).toMatch(/^ready http/m);
    process.kill(-(start.pid ?? 0), "SIGINT");
    await closed;
  } finally {
    if (start.exitCode === null && start.signalCode === null) process.kill(-(start.pid ?? 0), "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
  expect(output).toMatch(/\nstopped\n$/);
});
