import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { api, type One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "../src/version.ts";
import { makeHome } from "./process.ts";

const largestInstallation = 120_000_000;
const build = fileURLToPath(new URL("../../../build/release/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "kb-release-test-"));
const packedFile = join(folder, `kb-${version}.tgz`);
const archive = join(folder, `kb-${version}-linux-${process.arch}.tar.gz`);

beforeAll(() => {
  execFileSync(process.execPath, [build, folder], { stdio: "pipe" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the bytes of all files below a folder. */
const sizeOf = (top: string): number =>
  readdirSync(top, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(top, path)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);

/** Expects that a release serves, keeps what was written over a restart, and ends cleanly. */
async function expectWorks(own: readonly string[], variables: Readonly<Record<string, string>>): Promise<void> {
  const home = await makeHome(variables, own);
  try {
    const first = await home.start();
    expect(first.greeting).not.toContain("missing or damaged");
    const [key = ""] = /kb_\w+/.exec(first.greeting) ?? [];
    const client = api(home.url, key);
    const { body } = await client.post<One<{ id: string }>>("/api/v1/collections", { name: "Kept" });
    // The app in browsers is there: the server knows what it has built.
    expect((await fetch(`${home.url}/assets/build.json`)).status).toBe(200);
    expect(await first.end("SIGTERM")).toMatchObject({ code: 0 });
    const second = await home.start();
    const kept = await client.get<One<{ name: string }>>(`/api/v1/collections/${body.data.id}`);
    expect(kept.body.data.name).toBe("Kept");
    expect(await second.end("SIGINT")).toMatchObject({ code: 0 });
  } finally {
    await home.remove();
  }
}

describe("the packed file", { timeout: 300_000 }, () => {
  const place = join(folder, "installed");
  beforeAll(() => {
    mkdirSync(place);
    execFileSync("npm", ["install", "--prefix", place, "--no-audit", "--no-fund", packedFile], { stdio: "pipe" });
  });

  it("installs at most 120 MB, and starts with nothing but Node", async () => {
    expect(sizeOf(join(place, "node_modules"))).toBeLessThan(largestInstallation);
    await expectWorks([process.execPath, join(place, "node_modules/.bin/kb")], { PATH: "/usr/bin:/bin" });
  });

  it("keeps its compiled code in its own folder, where no other user could have written it", () => {
    expect(readdirSync(join(place, "node_modules/kb/compile-cache"))).toHaveLength(1);
  });

  it("says in one line which Node it needs", () => {
    const older = join(folder, "older.cjs");
    writeFileSync(older, 'Object.defineProperty(process.versions, "node", { value: "20.20.2" });');
    const program = join(place, "node_modules/.bin/kb");
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", older, program, "start"], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^kb needs Node 22\.18 or newer, and this is 20\.20\.2\. [^\n]+\n$/);
  });
});

describe.runIf(process.platform === "linux")("the archive for Linux", { timeout: 300_000 }, () => {
  const place = join(folder, "opt");
  beforeAll(() => {
    mkdirSync(place);
    execFileSync("tar", ["-xzf", archive, "--directory", place], { stdio: "pipe" });
  });

  it("starts on a machine with neither Node, npm nor git", async () => {
    const programs = join(folder, "programs");
    mkdirSync(programs);
    // All that the launcher calls.
    for (const name of ["sh", "dirname", "readlink"]) {
      execFileSync("ln", ["-s", execFileSync("which", [name], { encoding: "utf8" }).trim(), join(programs, name)]);
    }
    await expectWorks([join(place, "kb/kb")], { PATH: programs });
  });

  it("has a unit of systemd whose paths are those of the instructions", () => {
    const unit = readFileSync(join(place, "kb/kb.service"), "utf8");
    const readme = readFileSync(join(place, "kb/README.md"), "utf8");
    const [, program = ""] = /^ExecStart=\/opt\/(\S+) start$/m.exec(unit) ?? [];
    expect(existsSync(join(place, program))).toBe(true);
    const backup = readFileSync(join(place, "kb/kb-backup.service"), "utf8");
    const settings = /^(?:User|Environment|EnvironmentFile|WorkingDirectory)=.*$/gm;
    expect(backup.match(settings)).toEqual(unit.match(settings));
    expect(backup).toContain("ExecStart=/opt/kb/kb backup\n");
    expect(existsSync(join(place, "kb/kb-backup.timer"))).toBe(true);
    const [, user] = /^User=(\w+)$/m.exec(unit) ?? [];
    expect(readme).toMatch(new RegExp(`^sudo useradd --system .* ${user}$`, "m"));
    expect(readme).toContain(`sudo tar -xzf kb-${version}-linux-x64.tar.gz --directory /opt\n`);
    expect(readme).toContain("sudo cp /opt/kb/kb.service /etc/systemd/system/\n");
    expect(readme).not.toContain("VERSION");
  });
});
