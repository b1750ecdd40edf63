import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { version } from "../src/version.ts";

const script = fileURLToPath(new URL("../../../kb", import.meta.url));
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kb-launcher-"));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Adds a `npx` that writes its arguments into a file, and returns the search path with it. */
function withOwnNpx(folder: string): string {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/npx"), `#!/bin/sh\necho "$@" > "${folder}/npx"\n`, { mode: 0o755 });
  return `${join(folder, "bin")}:/usr/bin:/bin`;
}

describe("./kb", { timeout: 60_000 }, () => {
  it("runs the installed packages without asking a registry, from any folder and by a link", () => {
    const folder = newFolder();
    symlinkSync(script, join(folder, "knowledge"));
    const env = { PATH: withOwnNpx(folder), HOME: folder };
    const { stdout, stderr } = spawnSync(join(folder, "knowledge"), ["--version"], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    expect([stdout.trim(), stderr]).toEqual([version, ""]);
    expect(() => readFileSync(join(folder, "npx"))).toThrow();
  });

  it("starts the program with the settings of the images that keep its memory low", () => {
    const folder = newFolder();
    copyFileSync(script, join(folder, "kb"));
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/.pnpm-workspace-state-v1.json"), "");
    mkdirSync(join(folder, "apps/kb/src"), { recursive: true });
    const settings = "process.env.MALLOC_MMAP_THRESHOLD_, ...process.execArgv";
    writeFileSync(join(folder, "apps/kb/src/main.ts"), `console.log(${settings});\n`);
    const path = withOwnNpx(folder);
    symlinkSync(process.execPath, join(folder, "bin/node"));
    const { stdout } = spawnSync(join(folder, "kb"), [], { env: { PATH: path, HOME: folder }, encoding: "utf8" });
    const [threshold, option] = stdout.trim().split(" ");
    const image = readFileSync(fileURLToPath(new URL("../../../docker/Dockerfile", import.meta.url)), "utf8");
    expect(image).toContain(` MALLOC_MMAP_THRESHOLD_=${threshold} `);
    expect(image).toContain(` ${option}"`);
  });

  it("takes paths as relative to the folder in which it is called", () => {
    const folder = newFolder();
    const env = { PATH: "/usr/bin:/bin", HOME: folder };
    const { status, stderr } = spawnSync(script, ["restore", "missing.tar.gz"], { cwd: folder, env, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${join(folder, "missing.tar.gz")} does not exist`)]);
  });

  it("installs the packages first where they are missing", () => {
    const folder = newFolder();
    copyFileSync(script, join(folder, "kb"));
    writeFileSync(join(folder, "pnpm-lock.yaml"), "");
    mkdirSync(join(folder, "apps/kb/src"), { recursive: true });
    writeFileSync(join(folder, "apps/kb/src/main.ts"), 'console.log("ran", process.argv.slice(2).join(" "));\n');
    const path = withOwnNpx(folder);
    symlinkSync(process.execPath, join(folder, "bin/node"));
    const env = { PATH: path, HOME: folder };
    const { stdout, stderr } = spawnSync(join(folder, "kb"), ["info", "--json"], { env, encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["ran info --json\n", "installing the packages\n"]);
    expect(readFileSync(join(folder, "npx"), "utf8")).toBe("--yes pnpm@10.34.9 install --frozen-lockfile\n");
  });
});
