import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import JSZip from "jszip";
import { CommandError } from "../failure.ts";

/** Runs with the folder; of an archive with a folder that holds its files as long as that takes. */
export async function withUnpacked<T>(
  source: string,
  signal: AbortSignal,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const found = await stat(source).catch(() => null);
  if (found === null || !found.isFile()) return run(source);
  const folder = await mkdtemp(join(tmpdir(), "kb-import-"));
  try {
    await unpack(source, folder, signal);
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(source: string, folder: string, signal: AbortSignal): Promise<void> {
  const zip = await JSZip.loadAsync(await readFile(source)).catch((error: unknown) => {
    throw new CommandError("usage", `${source} is neither a folder nor a ZIP archive.`, { cause: error });
  });
  for (const file of Object.values(zip.files)) {
    signal.throwIfAborted();
    const path = resolve(folder, file.name);
    // An archive of somebody else may name any place.
    if (file.dir || !path.startsWith(folder + sep)) continue;
    await mkdir(dirname(path), { recursive: true });
    await pipeline(file.nodeStream(), createWriteStream(path, { flags: "wx" }), { signal });
  }
}
