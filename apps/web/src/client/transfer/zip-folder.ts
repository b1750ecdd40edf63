import type { Folder } from "./folder.ts";

/** The most files and bytes of an archive whose records have their original sizes (APPNOTE 4.4.1.4). */
const mostFiles = 65_535;
const mostBytes = 0xffff_ffff;

/** The first day that the format knows: files are imported without the time of their change. */
const firstDay = 0x21;
/** Names are in UTF-8. */
const utf8Names = 0x0800;

type Listed = {
  readonly name: Uint8Array<ArrayBuffer>;
  readonly crc: number;
  readonly bytes: number;
  readonly at: number;
};

/**
 * Packs a folder into a ZIP archive. The archive refers to the files instead of holding them, so that a folder of any size takes little
 * memory. Returns null for more files or bytes than the format has.
 * @throws {DOMException} for a file that cannot be read
 */
export async function zipFolder({ name, files }: Folder): Promise<File | null> {
  if (files.length > mostFiles) return null;
  const parts: BlobPart[] = [];
  const list: Listed[] = [];
  let at = 0;
  for (const { path, file } of files) {
    const listed = { name: new TextEncoder().encode(path), crc: await checksumOf(file), bytes: file.size, at };
    const header = record(0x0403_4b50, [[20, 2], ...factsOf(listed)]);
    parts.push(header, listed.name, file);
    list.push(listed);
    at += header.byteLength + listed.name.byteLength + file.size;
    if (at > mostBytes) return null;
  }
  const entries = list.flatMap((listed) => [entryOf(listed), listed.name]);
  const listBytes = entries.reduce((sum, part) => sum + part.byteLength, 0);
  const counts = [
    [0, 4],
    [list.length, 2],
    [list.length, 2],
    [listBytes, 4],
    [at, 4],
    [0, 2],
  ] as const;
  return new File([...parts, ...entries, record(0x0605_4b50, counts)], `${name}.zip`, { type: "application/zip" });
}

/** A number and the bytes that it takes. */
type Value = readonly [value: number, bytes: 2 | 4];

/** The facts that both records of a file have: it is stored as it is. */
const factsOf = ({ name, crc, bytes }: Listed): readonly Value[] => [
  [utf8Names, 2],
  [0, 2],
  [0, 2],
  [firstDay, 2],
  [crc, 4],
  [bytes, 4],
  [bytes, 4],
  [name.byteLength, 2],
  [0, 2],
];

const entryOf = (listed: Listed): Uint8Array<ArrayBuffer> =>
  record(0x0201_4b50, [[20, 2], [20, 2], ...factsOf(listed), [0, 2], [0, 2], [0, 2], [0, 4], [listed.at, 4]]);

/** Writes numbers in the order of the format, the smallest byte first. */
function record(mark: number, values: readonly Value[]): Uint8Array<ArrayBuffer> {
  const size = values.reduce((sum, [, bytes]) => sum + bytes, 4);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, mark, true);
  let at = 4;
  for (const [value, bytes] of values) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb8_8320 : rest >>> 1;
  return rest;
});

/** Reads a file in pieces, and returns its checksum (CRC-32). */
async function checksumOf(file: File): Promise<number> {
  let rest = 0xffff_ffff;
  const reader = file.stream().getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    for (const byte of step.value) rest = (table[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8);
  }
  return (rest ^ 0xffff_ffff) >>> 0;
}
