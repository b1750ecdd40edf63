import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import JSZip from "jszip";
import { CommandError } from "../failure.ts";
import type { Skipped } from "./scan.ts";

/**
 * Runs with the folder; of an archive with a folder that holds its files as long as that takes, and with those that this
 * machine does not take.
 */
export async function withUnpacked<T>(
  source: string,
  signal: AbortSignal,
  run: (folder: string, skipped: readonly Skipped[]) => Promise<T>,
): Promise<T> {
  const found = await stat(source).catch(() => null);
  if (found === null || !found.isFile()) return run(source, []);
  const folder = await mkdtemp(join(tmpdir(), "kb-import-"));
  try {
    const skipped = await unpack(source, folder, signal);
    return await run(folder, skipped);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(source: string, folder: string, signal: AbortSignal): Promise<Skipped[]> {
  const zip = await JSZip.loadAsync(await readFile(source)).catch((error: unknown) => {
    throw new CommandError("usage", `${source} is neither a folder nor a ZIP archive.`, { cause: error });
  });
  const skipped: Skipped[] = [];
  for (const file of Object.values(zip.files)) {
    signal.throwIfAborted();
    const path = resolve(folder, file.name);
    // An archive of somebody else may name any place.
    if (file.dir || !path.startsWith(folder + sep)) continue;
    try {
      await mkdir(dirname(path), { recursive: true });
      await pipeline(file.nodeStream(), createWriteStream(path, { flags: "wx" }), { signal });
    } catch (error) {
      // A full disk is no fault of one file.
      if (signal.aborted || !isNameProblem(error)) throw error;
      skipped.push({ path: file.name, code: "unreadable", reason: "has a name that this machine does not take" });
    }
  }
  return skipped;
}

/** Too long, or a file where another path of the archive needs a folder. */
const isNameProblem = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(?:ENAMETOOLONG|EEXIST|ENOTDIR|EISDIR|EINVAL)$/.test(String(error.code));
