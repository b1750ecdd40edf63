import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import JSZip from "jszip";
import { CommandError } from "../failure.ts";
import { inMegabytes } from "../megabytes.ts";
import type { Skipped } from "./scan.ts";

/** What an archive may unpack to; a small one can hold any number of zeros. */
export type Bounds = { readonly bytes: number; readonly files: number };

/**
 * Runs with the folder; of an archive with a folder that holds its files as long as that takes, and with those that this
 * machine does not take.
 * @throws {CommandError} `payload_too_large` where it unpacks to more than the bounds.
 */
export async function withUnpacked<T>(
  source: string,
  bounds: Bounds,
  signal: AbortSignal,
  run: (folder: string, skipped: readonly Skipped[]) => Promise<T>,
): Promise<T> {
  const found = await stat(source).catch(() => null);
  if (found === null || !found.isFile()) return run(source, []);
  const folder = await mkdtemp(join(tmpdir(), "kb-import-"));
  try {
    const skipped = await unpack(source, folder, bounds, signal);
    return await run(folder, skipped);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(source: string, folder: string, bounds: Bounds, signal: AbortSignal): Promise<Skipped[]> {
  const zip = await JSZip.loadAsync(await readFile(source)).catch((error: unknown) => {
    throw new CommandError("usage", `${source} is neither a folder nor a ZIP archive.`, { cause: error });
  });
  const skipped: Skipped[] = [];
  const files = Object.values(zip.files);
  if (files.length > bounds.files) {
    throw tooLarge(
      source,
      `has ${files.length.toLocaleString("en")} files; an import takes ${bounds.files.toLocaleString("en")}.`,
    );
  }
  const counting = bounded(source, bounds);
  for (const file of files) {
    signal.throwIfAborted();
    const path = resolve(folder, file.name);
    // An archive of somebody else may name any place.
    if (file.dir || !path.startsWith(folder + sep)) continue;
    try {
      await mkdir(dirname(path), { recursive: true });
      await pipeline(file.nodeStream(), counting, createWriteStream(path, { flags: "wx" }), { signal });
    } catch (error) {
      // A full disk is no fault of one file.
      if (signal.aborted || !isNameProblem(error)) throw error;
      skipped.push({ path: file.name, code: "unreadable", reason: "has a name that this machine does not take" });
    }
  }
  return skipped;
}

const tooLarge = (source: string, why: string): CommandError =>
  new CommandError("payload_too_large", `${source} ${why}`);

/** Counts what all files of an archive unpack to together, whatever its headers say. */
function bounded(
  source: string,
  { bytes }: Bounds,
): (chunks: AsyncIterable<string | Buffer>) => AsyncGenerator<string | Buffer> {
  let unpacked = 0;
  return async function* (chunks) {
    for await (const chunk of chunks) {
      unpacked += Buffer.byteLength(chunk);
      if (unpacked > bytes) {
        throw tooLarge(
          source,
          `unpacks to more than ${inMegabytes(bytes)}: --max-unpacked takes another number of gigabytes.`,
        );
      }
      yield chunk;
    }
  };
}

/** Too long, or a file where another path of the archive needs a folder. */
const isNameProblem = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^(?:ENAMETOOLONG|EEXIST|ENOTDIR|EISDIR|EINVAL)$/.test(String(error.code));
