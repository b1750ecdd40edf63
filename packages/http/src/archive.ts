import { Readable } from "node:stream";
import type { Export } from "@kb/core";
import JSZip from "jszip";

type File = Export["files"][number];

// The fourth gigabyte: places beyond it do not fit into the archive's list of files.
const maxBytes = 2 ** 32 - 1;

/**
 * A ZIP archive of files, made as it is taken: one file is open at a time, and none before its turn. Ending the iteration
 * early closes what is open, and opens nothing more.
 */
export async function* archiveOf(files: readonly File[]): AsyncGenerator<Uint8Array> {
  const zip = new JSZip();
  const open = new Set<Readable>();
  for (const file of files) {
    const compression = file.packed ? "STORE" : "DEFLATE";
    zip.file(file.path, lazily(file, open), { date: file.modifiedAt, createFolders: false, compression });
  }
  try {
    let bytes = 0;
    for await (const chunk of chunksOf(zip)) {
      bytes += chunk.byteLength;
      // Better no archive than one that cannot be read to its end.
      if (bytes > maxBytes) throw new Error("the archive has outgrown its format");
      yield chunk;
    }
  } finally {
    for (const stream of open) stream.destroy();
  }
}

/** A stream that opens its file when it is first read. */
function lazily(file: File, open: Set<Readable>): Readable {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    open.add(stream);
    const opened = await file.open();
    if (opened !== null) yield* opened;
    open.delete(stream);
  }
  const stream = Readable.from(bytes(), { objectMode: true, highWaterMark: 1 });
  return stream;
}

/** What jszip pushes, pulled: it rests while nobody asks. */
async function* chunksOf(zip: JSZip): AsyncGenerator<Uint8Array> {
  const options = { type: "uint8array", streamFiles: true, compressionOptions: { level: 6 } } as const;
  const helper = zip.generateInternalStream(options);
  const ready: Uint8Array[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wake = (): void => {};
  helper.on("data", (chunk) => {
    ready.push(chunk);
    helper.pause();
    wake();
  });
  helper.on("end", () => {
    ended = true;
    wake();
  });
  helper.on("error", (error) => {
    failure = error;
    wake();
  });
  try {
    for (;;) {
      const chunk = ready.shift();
      if (chunk !== undefined) yield chunk;
      else if (failure !== undefined) throw failure;
      else if (ended) return;
      else {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        helper.resume();
        await woken;
      }
    }
  } finally {
    helper.pause();
  }
}
