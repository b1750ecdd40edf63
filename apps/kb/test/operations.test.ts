import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, makeHome } from "./process.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const guide = readFileSync(join(root, "docs/operations.md"), "utf8");
const asWritten = "./kb";

let home: Home;
let shell: ChildProcess | undefined;

beforeAll(async () => {
  home = await makeHome();
});
afterAll(async () => {
  if (shell !== undefined) await endWithCommands(shell);
  await home?.remove();
});

/** Ends a shell that leads a process group, with the command that it runs. */
async function endWithCommands(leader: ChildProcess): Promise<void> {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  const ended = once(leader, "close");
  process.kill(-leader.pid, "SIGTERM");
  await ended;
}

/** The shell blocks of the guide, by the word after their language. */
const blocks = (word: string): string[] =>
  [...guide.matchAll(new RegExp(`^ *\`\`\`sh${word}\\n([\\s\\S]*?)^ *\`\`\``, "gm"))].map(([, text = ""]) => text);

// The drill starts PostgreSQL three times: on a busy machine it takes some minutes.
describe("the operations guide", { timeout: 360_000 }, () => {
  it("its drill works as written on a fresh installation", async () => {
    const started = await home.start();
    const [drill = ""] = blocks(" drill");
    const program = `"${process.execPath}" "${await builtProgram("kb")}"`;
    const script = drill.replaceAll(asWritten, program);
    expect(script).not.toContain("npx");
    const env = { PATH: process.env.PATH ?? "", HOME: home.folder, ...compileCache };
    shell = spawn("sh", ["-ec", script], { cwd: home.folder, env, detached: true });
    let said = "";
    for (const output of [shell.stdout, shell.stderr]) output?.on("data", (chunk) => (said += chunk));
    const [code] = await once(shell, "close");
    expect(code, said).toBe(0);
    expect(existsSync(join(home.folder, "after", "manifest.json"))).toBe(true);
    await started.end("SIGTERM");
  });

  it("names only existing kb commands with their options", async () => {
    const commands = [...blocks(""), ...blocks(" drill")]
      .flatMap((text) => text.split("\n"))
      .flatMap((line) => line.split(`${asWritten} `).slice(1))
      .map((rest) => rest.replace(/\s+#.*$/, "").split(/\s+/));
    expect(commands.length).toBeGreaterThan(6);
    const names = new Set(commands.map(([name = ""]) => name));
    const helps = new Map<string, string>();
    for (const name of names) {
      const { stdout, code } = await home.kb([name, "--help"]);
      expect(code, name).toBe(0);
      helps.set(name, stdout);
    }
    for (const [name = "", ...words] of commands) {
      for (const option of words.filter((word) => word.startsWith("--")))
        expect(helps.get(name), name).toContain(option);
    }
  });

  it("names only variables of .env.example or its own, and every link works", () => {
    const documented = readFileSync(join(root, ".env.example"), "utf8");
    const own = new Set(["KB_MIGRATION_ROWS", "NOT VALID", "WAL"]);
    const variables = [...guide.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)/g)].map(([, name = ""]) => name);
    expect(variables.length).toBeGreaterThan(20);
    for (const name of variables) expect(own.has(name) || documented.includes(`${name}=`), name).toBe(true);
    const documents = { "docs/operations.md": guide, "SECURITY.md": readFileSync(join(root, "SECURITY.md"), "utf8") };
    for (const [path, text] of Object.entries(documents)) {
      for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        expect(existsSync(join(root, dirname(path), target)), `${path}: ${target}`).toBe(true);
      }
    }
  });
});
