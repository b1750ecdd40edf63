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

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)(
    "%s ends a process that has nothing to stop yet, by a listener: process 1 of a container ignores unhandled signals",
    async (signal, code) => {
      const program = `
      const { exitOnSignals, stopOnSignals } = await import(${signals});
      const removeExit = exitOnSignals();
      if (process.argv[1] === "serving") { removeExit(); stopOnSignals(async () => {}); }
      setInterval(() => {}, 1000);
      console.log("ready");`;
      for (const [word, exits] of [
        ["starting", code],
        ["serving", 0],
      ] as const) {
        const child = spawn(process.execPath, ["--input-type=module", "-e", program, word], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        await once(child.stdout, "data");
        child.kill(signal);
        expect(await once(child, "exit"), word).toEqual([exits, null]);
      }
    },
  );

  it("a second signal ends the process immediately", async () => {
    const { child, said, exit } = start("await new Promise(() => {});");
    const stopping = said("stopping");
    await said("ready");
    child.kill("SIGTERM");
    await stopping;
    child.kill("SIGTERM");
    expect(await exit).toEqual([143, null]);
  });

  it("a failure during the shutdown exits with 1", async () => {
    const { child, said, exit } = start("throw new Error('no');");
    await said("ready");
    child.kill("SIGTERM");
    expect(await exit).toEqual([1, null]);
  });
});
