import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@kb/db/testing";
import { expect, it } from "vitest";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** Copies what a clone of the repository has, with the changes that are not committed yet, and without what is installed. */
function copyClone(folder: string): void {
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const paths = execFileSync("git", listed, { cwd: repository, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  for (const path of new Set(paths.split("\0"))) {
    if (path !== "" && existsSync(join(repository, path))) cpSync(join(repository, path), join(folder, path));
  }
}

it("the command of the README installs a clone and serves without a warning, and stops on Ctrl-C without an error", {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "kb-clone-"));
  copyClone(folder);
  const port = String(await freePort());
  // The pnpm that runs this test tells those below it not to check their packages, and settings that npm does not know.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^p?npm_(?!config_(?:registry|cache|userconfig)$)/i.test(name),
  );
  const settings = { DATABASE_URL: "", REDIS_URL: "", PORT: port, KB_DATA_DIR: join(folder, ".data") };
  const env = { ...Object.fromEntries(own), ...settings };
  // A process group of its own: a terminal sends the signal of Ctrl-C to the whole group.
  const start = spawn("npx", ["--yes", "pnpm@10.34.9", "start"], { cwd: folder, env, detached: true });
  let output = "";
  for (const stream of [start.stdout, start.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const closed = once(start, "close");
  try {
    const isReady = expect.poll(() => output, { timeout: 500_000, interval: 200 }).toMatch(/^ready http/m);
    const ended = closed.then(() => Promise.reject(new Error(`The start ended early:\n${output}`)));
    await Promise.race([isReady, ended]);
    process.kill(-(start.pid ?? 0), "SIGINT");
    await closed;
  } finally {
    if (start.exitCode === null && start.signalCode === null) process.kill(-(start.pid ?? 0), "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
  expect(output).toContain("Packages: +");
  // Settings of the machine's own are nothing that the repository can mend.
  const printed = output.replace(/^npm warn Unknown (?:env|user|global) config .*$/gim, "");
  expect(printed).not.toMatch(/warn|deprecat|update available|ELIFECYCLE/i);
  expect(output).not.toMatch(/\bERR_/);
  expect(output).toMatch(/\nstopped\n$/);
});
