import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compileCache } from "@kb/testing/compile-cache";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Runs before the program: names the modules that it loads. */
const witness = `
  import { registerHooks } from "node:module";
  registerHooks({
    load: (url, context, next) => {
      console.error("LOADS " + url);
      return next(url, context);
    },
  });`;

/** Runs a command line; returns its output, and the paths of the modules that it loads. */
async function run(...words: readonly string[]): Promise<{ readonly output: string; readonly loaded: string[] }> {
  const hook = `data:text/javascript,${encodeURIComponent(witness)}`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import", hook, program, ...words], {
    env: { PATH: process.env.PATH ?? "", ...compileCache },
    maxBuffer: 16 * 2 ** 20,
  });
  return {
    output: stdout,
    loaded: [...stderr.matchAll(/^LOADS file:\/\/(\S+)$/gm)].map(([, path = ""]) => path),
  };
}

/** Returns the names of the modules of commands. */
const commandsOf = (loaded: readonly string[]): string[] =>
  loaded.flatMap((path) => /\/apps\/kb\/src\/commands\/([a-z]+)\.ts$/.exec(path)?.[1] ?? []);

const names = [
  "start",
  "migrate",
  "info",
  "doctor",
  "team",
  "user",
  "group",
  "key",
  "channel",
  "mcp",
  "mail",
  "import",
  "export",
  "backup",
  "restore",
  "reseal",
  "recount",
];

describe("the command line of kb", () => {
  it("lists every command in its help, in an order", async () => {
    const { output, loaded } = await run("--help");
    const listed = [...output.replace(/^.*Commands:/s, "").matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
    expect(listed).toEqual(names.concat("help"));
    expect(commandsOf(loaded)).toEqual(expect.arrayContaining(names));
  });

  it("loads the command that runs, and no other one", async () => {
    const { loaded } = await run("group", "list", "--help");
    expect(commandsOf(loaded)).toEqual(["group"]);
    // All operations, which take longer to load than the command runs.
    expect(loaded.filter((path) => path.endsWith("/packages/core/src/index.ts"))).toEqual([]);
  });
});
