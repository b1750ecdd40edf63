import { crc32, deflateRawSync } from "node:zlib";
import type { ExportFile } from "@kb/core";
import { metered } from "@kb/telemetry";
import { Deflater } from "./deflater.ts";
import { archiveEnd, factsAfter, type ListedFile, listEntry, localHeader, maxUint32 } from "./records.ts";

/** A file up to this size is compressed as a whole, so that its header contains its sizes; a larger one is streamed. */
const smallBytes = 1024 * 1024;
/**
 * A file up to this size is compressed on the event loop, in less than 0.1 ms: a thread has to wait for a processor before and after it, for
 * each of thousands of files.
 */
const atOnceBytes = 16 * 1024;
/** A shorter file does not get shorter. */
const worthBytes = 40;
/** The size of one write to a socket. */
const pieceBytes = 64 * 1024;

/**
 * Writes a ZIP archive of files as it is read: one file is open at a time, and none before its turn. Only the names and
 * sizes of finished files are kept. Ending the iteration early closes the open file, and opens no other.
 */
export async function* archiveOf(files: Iterable<ExportFile>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(files)) {
    held.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  yield Buffer.concat(held, bytes);
}

async function* chunksOf(files: Iterable<ExportFile>): AsyncGenerator<Uint8Array> {
  const list: Uint8Array[] = [];
  const deflater = new Deflater();
  let offset = 0;
  try {
    for (const file of files) {
      const bytes = await file.open();
      if (bytes === null) continue;
      // Copies the name: a small Buffer is a slice of a pool, and would keep the texts beside it in memory.
      const addToList: AddToList = (listed) => list.push(new Uint8Array(listEntry(listed)));
      for await (const chunk of entryOf(file, bytes, offset, deflater, addToList)) {
        offset += chunk.byteLength;
        yield chunk;
      }
    }
  } finally {
    deflater.close();
  }
  yield* list;
  const listBytes = list.reduce((sum, entry) => sum + entry.byteLength, 0);
  yield archiveEnd(list.length, offset, listBytes);
}

type AddToList = (listed: ListedFile) => void;
type StartedFile = Pick<ListedFile, "name" | "modifiedAt" | "offset">;

/** Writes the header and the bytes of one file; `addToList` receives its entry for the list at the end. */
async function* entryOf(
  { path, modifiedAt, packed }: ExportFile,
  bytes: AsyncIterable<Uint8Array>,
  offset: number,
  deflater: Deflater,
  addToList: AddToList,
): AsyncGenerator<Uint8Array> {
  const started = { name: Buffer.from(path), modifiedAt, offset };
  const source = bytes[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  try {
    while (size <= smallBytes) {
      const { done, value } = await source.next();
      if (done === true) {
        yield* small(started, joined(first, size), packed ? null : deflater, addToList);
        return;
      }
      first.push(value);
      size += value.byteLength;
    }
    yield* streamed(started, rejoined(first, source), packed ? null : deflater, addToList);
  } finally {
    await source.return?.();
  }
}

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array =>
  chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);

const sizeOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);

async function* small(
  started: StartedFile,
  whole: Uint8Array,
  deflater: Deflater | null,
  addToList: AddToList,
): AsyncGenerator<Uint8Array> {
  const worthIt = deflater !== null && whole.byteLength >= worthBytes;
  const deflated = worthIt ? await deflate(whole, deflater) : [whole];
  const isShorter = sizeOf(deflated) < whole.byteLength;
  const body = isShorter ? deflated : [whole];
  const sizes = { crc: crc32(whole), packedBytes: sizeOf(body), bytes: whole.byteLength };
  const listed: ListedFile = { ...started, ...sizes, method: isShorter ? 8 : 0, streamed: false };
  yield localHeader(listed);
  yield* body;
  addToList(listed);
}

async function deflate(whole: Uint8Array, deflater: Deflater): Promise<Uint8Array[]> {
  if (whole.byteLength <= atOnceBytes) return [metered(() => deflateRawSync(whole))];
  return [...(await deflater.part(whole)), deflater.end()];
}

async function* streamed(
  started: StartedFile,
  bytes: AsyncIterable<Uint8Array>,
  deflater: Deflater | null,
  addToList: AddToList,
): AsyncGenerator<Uint8Array> {
  const facts = { crc: 0, packedBytes: 0, bytes: 0 };
  const file = { ...started, method: deflater === null ? 0 : 8, streamed: true } as const;
  yield localHeader({ ...file, ...facts });
  for await (const chunk of bytes) {
    facts.crc = crc32(chunk, facts.crc);
    facts.bytes += chunk.byteLength;
    const parts = deflater === null ? [chunk] : await deflater.part(chunk);
    facts.packedBytes += sizeOf(parts);
    // An archive that fails is better than one that cannot be read to its end.
    if (facts.bytes >= maxUint32 || facts.packedBytes >= maxUint32) throw new Error("a file outgrows its archive");
    yield* parts;
  }
  const end = deflater?.end() ?? Buffer.alloc(0);
  facts.packedBytes += end.byteLength;
  yield end;
  yield factsAfter(facts);
  addToList({ ...file, ...facts });
}

async function* rejoined(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return;
    yield value;
  }
}
