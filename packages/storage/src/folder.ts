import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { type FileStore, requireKey } from "./store.ts";
import { syncFolder } from "./sync-folder.ts";

// No key begins with this name, because keys contain no dots.
const unfinished = ".unfinished";
// Much longer than any upload takes.
const unfinishedForMs = 24 * 60 * 60 * 1000;

/**
 * Creates a store in a folder, and the folder if it is missing. A file gets its name only after its bytes are on the disk,
 * so every named file is complete, even after a crash of the machine.
 */
export function folderStore(folder: string): FileStore {
  const pathOf = (key: string): string => join(folder, requireKey(key));
  return {
    put: async (key, bytes) => {
      const target = pathOf(key);
      await removeAbandonedDrafts(join(folder, unfinished));
      const draft = join(folder, unfinished, randomUUID());
      await makeFolder(dirname(draft));
      try {
        await writeThrough(draft, bytes);
        await makeFolder(dirname(target));
        await rename(draft, target);
        await syncFolder(dirname(target));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    get: async (key, range) => {
      const path = pathOf(key);
      const found = await stat(path).catch(nullIfMissing);
      return found?.isFile() ? createReadStream(path, range ?? {}) : null;
    },
    removeBelow: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
  };
}

/** Writes a stream to a new file and waits until the disk has it. */
async function writeThrough(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of bytes) await writeAll(file, chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength; ) {
    offset += (await file.write(chunk, offset)).bytesWritten;
  }
}

/** Removes files that a killed process left half-written. */
async function removeAbandonedDrafts(folder: string): Promise<void> {
  const before = Date.now() - unfinishedForMs;
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(nullIfMissing);
    if (found !== null && found.mtimeMs < before) await rm(join(folder, name), { force: true });
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
