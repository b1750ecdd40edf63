import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { type Explained, explain, type Note, noteOn, type Skipped, skippedFor } from "../explain.ts";
import { SourceError } from "../source-error.ts";
import { nameOfEntry } from "./entry-name.ts";
import { type Bounds, maxArchiveDepth, maxFolderDepth, UnpackBudget } from "./unpack-budget.ts";

/** The files of an archive that were not unpacked, and remarks about files that were. */
export type Unpacked = { readonly skipped: readonly Skipped[]; readonly notes: readonly Note[] };

type UnpackOptions = {
  /** Stands for the source in messages. Default: its path. */
  readonly name?: string;
  /** The folder of the temporary folder. Default: that of the system. */
  readonly parent?: string;
};

/** An archive, and its name in messages. */
type Archive = { readonly path: string; readonly name: string };

type Unpacking = {
  readonly folder: string;
  readonly budget: UnpackBudget;
  readonly signal: AbortSignal;
  readonly skipped: Skipped[];
  readonly notes: Note[];
  /** Paths of the unpacked files. */
  readonly paths: Set<string>;
};

/**
 * Runs with the source folder, or with a temporary folder of the unpacked archive.
 * An archive that holds only archives, as those of Notion do, is unpacked with them.
 * @throws {SourceError} `payload_too_large` if the archive exceeds the limits, `usage` if it is not an archive
 */
export async function withUnpacked<T>(
  source: string,
  bounds: Bounds,
  signal: AbortSignal,
  run: (folder: string, unpacked: Unpacked) => Promise<T>,
  { name = source, parent = tmpdir() }: UnpackOptions = {},
): Promise<T> {
  const found = await stat(source).catch(() => null);
  if (found === null || !found.isFile()) return run(source, { skipped: [], notes: [] });
  const folder = await mkdtemp(join(parent, "kb-import-"));
  try {
    const budget = new UnpackBudget(name, bounds, found.size);
    const unpacking: Unpacking = { folder, budget, signal, skipped: [], notes: [], paths: new Set() };
    await unpackArchive(unpacking, { path: source, name }, 1);
    return await run(folder, unpacking);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpackArchive(unpacking: Unpacking, archive: Archive, depth: number): Promise<void> {
  const zip = await openArchive(archive);
  const unpacked: string[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      unpacking.signal.throwIfAborted();
      const path = await unpackEntry(unpacking, zip, entry);
      if (path !== null) unpacked.push(path);
    }
  } catch (error) {
    // Errors of the file system and of the budget concern the whole import.
    const isOfArchive = error instanceof Error && !(error instanceof SourceError) && !("code" in error);
    throw isOfArchive && !unpacking.signal.aborted ? notAnArchive(archive, error) : error;
  } finally {
    zip.close();
  }
  const holdsOnlyArchives = unpacked.length > 0 && unpacked.every((path) => extname(path).toLowerCase() === ".zip");
  if (holdsOnlyArchives) for (const path of unpacked) await unpackInner(unpacking, path, depth + 1);
}

/** Unpacks an archive that was inside another one, beside it, and removes it. */
async function unpackInner(unpacking: Unpacking, path: string, depth: number): Promise<void> {
  if (depth > maxArchiveDepth) {
    const why = explain("archives_too_deep", { limit: maxArchiveDepth });
    unpacking.skipped.push(skippedFor(path, "nested_archive", why));
    return;
  }
  const archive = { path: join(unpacking.folder, path), name: path };
  unpacking.paths.delete(path);
  try {
    await unpackArchive(unpacking, archive, depth);
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== "usage") throw error;
    unpacking.skipped.push(skippedFor(path, "unreadable", explain("inner_no_archive", {})));
  }
  await rm(archive.path, { force: true });
}

async function openArchive(archive: Archive): Promise<ZipFile> {
  try {
    return await openPromise(archive.path, { autoClose: false, decodeStrings: false });
  } catch (error) {
    throw notAnArchive(archive, error);
  }
}

const notAnArchive = ({ name }: Archive, cause: unknown): SourceError =>
  new SourceError("usage", explain("no_archive", { name }), { cause });

/** Unpacks an entry; returns its path, or null if it was left out. */
async function unpackEntry(unpacking: Unpacking, zip: ZipFile, entry: Entry): Promise<string | null> {
  const { folder, budget, signal, skipped, paths } = unpacking;
  const named = nameOfEntry(entry);
  if (named === null) {
    budget.countIgnored();
    return null;
  }
  budget.countFile();
  if ("reason" in named) {
    skipped.push(named);
    return null;
  }
  const { path } = named;
  if (paths.has(path)) {
    skipped.push(skippedFor(path, "same_name", explain("same_name", {})));
    return null;
  }
  if (path.split("/").length > maxFolderDepth) {
    skipped.push(skippedFor(path, "unsafe_name", explain("folders_too_deep", { limit: maxFolderDepth })));
    return null;
  }
  budget.countFolders(path);
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      budget.countBytes(chunk.byteLength);
      yield chunk;
    }
  };
  try {
    const target = resolve(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), count, createWriteStream(target, { flags: "wx" }), {
      signal,
    });
    paths.add(path);
    if (named.remark !== undefined) unpacking.notes.push(noteOn(path, named.remark));
    return path;
  } catch (error) {
    const why = reasonOf(error);
    // Other errors, such as a full disk, concern the whole import.
    if (signal.aborted || why === null) throw error;
    skipped.push(skippedFor(path, "unreadable", why));
    return null;
  }
}

/** Returns why one entry cannot be unpacked: its name conflicts with another on this machine, or its data are damaged. */
function reasonOf(error: unknown): Explained | null {
  if (!(error instanceof Error) || error instanceof SourceError) return null;
  const code = "code" in error ? String(error.code) : "";
  if (/^(?:ENAMETOOLONG|EEXIST|ENOTDIR|EISDIR|EINVAL|EILSEQ)$/.test(code)) return explain("impossible_name", {});
  if (code.startsWith("Z_") || code === "") return explain("damaged", {});
  return null;
}
