import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder, with those above it; does nothing if it exists. The recursive `mkdir` of Node never ends for a folder below
 * `/proc`, where the parent exists and yet refuses with ENOENT.
 *
 * `makeFolder` of `@kb/db` creates folders that only their owner can read, and blocks while it does, at the start of a process. There are
 * two because this package imports no package of ours.
 * @throws {Error} of the first folder that cannot be created, such as EEXIST for a file in its place
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    if (parent === path || (await isFolder(parent)) || !isMissing(error)) throw error;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
