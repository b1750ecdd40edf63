import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, with those above it, that only its owner can read; does nothing if it exists. The recursive `mkdirSync` of Node
 * never returns for a folder below `/proc`, where the parent exists and yet refuses with ENOENT.
 *
 * `makeFolder` of `@kb/storage` does not block, because it runs for each upload, and leaves the permissions to the umask. There are two
 * because `@kb/storage` imports no package of ours.
 * @throws {Error} of the first folder that cannot be created, such as EEXIST for a file in its place
 */
export function makeFolder(path: string): void {
  for (const folder of missingFolders(path)) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (!isFolder(folder)) throw error;
    }
  }
}

/**
 * Finds out whether `makeFolder` can create a folder, by trying: no permission says it of a folder such as `/proc`. Removes what
 * it created, unless another process has put something there. A folder that is still empty is removed even if another process counts
 * on it since a moment ago: a start at the same time may fail, and succeeds when it is repeated.
 * @throws {Error} as `makeFolder`
 */
export function tryFolder(path: string): void {
  const missing = missingFolders(path);
  try {
    makeFolder(path);
  } finally {
    for (const folder of missing.reverse()) removeIfEmpty(folder);
  }
}

/** Returns the folder and those above it that do not exist, outermost first. */
function missingFolders(path: string): string[] {
  if (isFolder(path)) return [];
  const parent = dirname(path);
  return [...(parent === path ? [] : missingFolders(parent)), path];
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It was never created, or it is in use.
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
