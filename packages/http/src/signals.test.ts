import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const signals = JSON.stringify(fileURLToPath(new URL("./signals.ts", import.meta.url)));

/** A process that says when it is ready, and stops as `stop` says. */
function start(stop: string) {
  const program = `
    const { stopOnSignals } = await import(${signals});
    stopOnSignals(async () => { console.log("stopping"); ${stop} });
    setInterval(() => {}, 1000);
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
  const said = (word: string): Promise<void> =>
    new Promise((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        if (chunk.toString().includes(word)) resolve();
      });
    });
  return { child, said, exit: once(child, "exit") };
}

describe("signals", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("%s stops the process, which exits with 0", async (signal) => {
    const { child, said, exit } = start("");
    await said("ready");
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
  });

  it("a second signal does not wait", async () => {
    const { child, said, exit } = start("await new Promise(() => {});");
    const stopping = said("stopping");
    await said("ready");
    child.kill("SIGTERM");
    await stopping;
    child.kill("SIGTERM");
    expect(await exit).toEqual([143, null]);
  });

  it("a stop that fails exits with 1", async () => {
    const { child, said, exit } = start("throw new Error('no');");
    await said("ready");
    child.kill("SIGTERM");
    expect(await exit).toEqual([1, null]);
  });
});
