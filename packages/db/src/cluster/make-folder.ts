import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, with those above it, that only its owner can read; does nothing if it exists. The recursive `mkdirSync` of Node
 * never returns for a folder below `/proc`, where the parent exists and yet refuses with ENOENT.
 * @throws {Error} of the first folder that cannot be created
 */
export function makeFolder(path: string): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
