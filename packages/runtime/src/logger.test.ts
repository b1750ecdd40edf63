import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const logger = resolve(import.meta.dirname, "logger.ts");

/** Runs a script that has a logger `log`; returns the exit code and what it wrote to standard output. */
async function run(script: string): Promise<{ code: number | null; lines: string[] }> {
  const source = `import { createLogger } from ${JSON.stringify(logger)};
    const log = createLogger({ app: "test", level: "info" }); ${script}`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", source], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { promise, resolve: ended } = Promise.withResolvers<number | null>();
  child.once("close", ended);
  const written = await text(child.stdout);
  return { code: await promise, lines: written.split("\n").filter((line) => line !== "") };
}

const messages = (lines: readonly string[]): unknown[] => lines.map((line) => JSON.parse(line).message);

it("every buffered line is written when the process ends", async () => {
  const { code, lines } = await run("for (let n = 0; n < 1000; n += 1) log.info(String(n)); process.exit(3)");
  expect(code).toBe(3);
  expect(messages(lines)).toEqual(Array.from({ length: 1000 }, (_, n) => String(n)));
});

it("no line is lost after an uncaught error", async () => {
  const { code, lines } = await run('log.info("before"); setImmediate(() => { throw new Error("defect"); })');
  expect(code).not.toBe(0);
  expect(messages(lines)).toEqual(["before"]);
});

it("an error is written at once, after all earlier lines", async () => {
  const { lines } = await run('log.info("one"); log.error("two"); process.kill(process.pid, "SIGKILL")');
  expect(messages(lines)).toEqual(["one", "two"]);
});

it("other lines are written after a short delay", async () => {
  const { lines } = await run('log.info("one"); setTimeout(() => process.kill(process.pid, "SIGKILL"), 1_000)');
  expect(messages(lines)).toEqual(["one"]);
});
