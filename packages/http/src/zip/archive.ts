import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw } from "node:zlib";
import type { ExportFile } from "@kb/core";
import { archiveEnd, factsAfter, type ListedFile, listEntry, localHeader, maxUint32 } from "./records.ts";

const deflate = promisify(deflateRaw);
const level = 6;
/** A file up to this size is compressed at once, outside of the event loop; a larger one is streamed. */
const smallBytes = 1024 * 1024;
/** Less than this does not get shorter. */
const worthBytes = 40;
/** A write to a socket is worth so much. */
const pieceBytes = 64 * 1024;

/**
 * A ZIP archive of files, made as it is taken: one file is open at a time, and none before its turn. Of a file that is
 * done, its name and sizes are kept. Ending the iteration early closes what is open, and opens nothing more.
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
  const list: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const bytes = await file.open();
    if (bytes === null) continue;
    const entry = entryOf(file, bytes, offset, (listed) => list.push(listEntry(listed)));
    for await (const chunk of entry) {
      offset += chunk.byteLength;
      yield chunk;
    }
  }
  yield* list;
  const listBytes = list.reduce((sum, entry) => sum + entry.byteLength, 0);
  yield archiveEnd(list.length, offset, listBytes);
}

type Tell = (listed: ListedFile) => void;
type Begun = Pick<ListedFile, "name" | "modifiedAt" | "offset">;

/** The header and the bytes of one file; `tell` hears what the list at the end has to say of it. */
async function* entryOf(
  { path, modifiedAt, packed }: ExportFile,
  bytes: AsyncIterable<Uint8Array>,
  offset: number,
  tell: Tell,
): AsyncGenerator<Uint8Array> {
  const begun = { name: Buffer.from(path), modifiedAt, offset };
  const source = bytes[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  try {
    while (size <= smallBytes) {
      const { done, value } = await source.next();
      if (done === true) {
        yield* small(begun, Buffer.concat(first, size), packed, tell);
        return;
      }
      first.push(value);
      size += value.byteLength;
    }
    yield* streamed(begun, rejoined(first, source), packed, tell);
  } finally {
    await source.return?.();
  }
}

async function* small(begun: Begun, whole: Buffer, packed: boolean, tell: Tell): AsyncGenerator<Uint8Array> {
  const deflated = packed || whole.byteLength < worthBytes ? whole : await deflate(whole, { level });
  const isShorter = deflated.byteLength < whole.byteLength;
  const body = isShorter ? deflated : whole;
  const sizes = { crc: crc32(whole), packedBytes: body.byteLength, bytes: whole.byteLength };
  const listed: ListedFile = { ...begun, ...sizes, method: isShorter ? 8 : 0, streamed: false };
  yield localHeader(listed);
  yield body;
  tell(listed);
}

async function* streamed(
  begun: Begun,
  bytes: AsyncIterable<Uint8Array>,
  packed: boolean,
  tell: Tell,
): AsyncGenerator<Uint8Array> {
  const facts = { crc: 0, packedBytes: 0, bytes: 0 };
  const method = packed ? 0 : 8;
  const file = { ...begun, method, streamed: true } as const;
  yield localHeader({ ...file, ...facts });
  const counted = counting(bytes, facts);
  for await (const chunk of packed ? counted : deflating(counted)) {
    facts.packedBytes += chunk.byteLength;
    // Better no archive than one that cannot be read to its end.
    if (facts.bytes >= maxUint32 || facts.packedBytes >= maxUint32) throw new Error("a file outgrows its archive");
    yield chunk;
  }
  yield factsAfter(facts);
  tell({ ...file, ...facts });
}

async function* counting(
  bytes: AsyncIterable<Uint8Array>,
  facts: { crc: number; bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    facts.crc = crc32(chunk, facts.crc);
    facts.bytes += chunk.byteLength;
    yield chunk;
  }
}

async function* deflating(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createDeflateRaw({ level });
  // A failure of the source is one of the stream, where it is thrown.
  pipeline(Readable.from(bytes), stream, () => {});
  yield* stream;
}

async function* rejoined(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return;
    yield value;
  }
}
