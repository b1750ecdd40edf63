/** A file in the central directory at the end of an archive (APPNOTE 4.3.12). */
export type ListedFile = {
  readonly name: Buffer;
  readonly modifiedAt: Date;
  /** 0: stored; 8: deflated. */
  readonly method: 0 | 8;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** The offset of its local header. */
  readonly offset: number;
  /** Whether a data descriptor follows the file, because its CRC and sizes were unknown when it began. */
  readonly streamed: boolean;
};

/** In a field of four bytes, means that the Zip64 record contains the value. */
export const maxUint32 = 0xffff_ffff;
const maxUint16 = 0xffff;
const nameIsUtf8 = 1 << 11;
const factsFollow = 1 << 3;
const plainVersion = 20;
const zip64Version = 45;
/** Made on Unix, so that `fileMode` is `-rw-r--r--`. */
const madeBy = (3 << 8) | zip64Version;
const fileMode = 0o100644 * 2 ** 16;

const flagsOf = ({ streamed }: Pick<ListedFile, "streamed">): number => nameIsUtf8 | (streamed ? factsFollow : 0);

/** Returns the header that precedes the bytes of a file. */
export function localHeader(file: ListedFile): Buffer {
  const known = !file.streamed;
  const extra = timeField(file.modifiedAt);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(plainVersion, 4);
  header.writeUInt16LE(flagsOf(file), 6);
  header.writeUInt16LE(file.method, 8);
  header.writeUInt32LE(dosTime(file.modifiedAt), 10);
  header.writeUInt32LE(known ? file.crc : 0, 14);
  header.writeUInt32LE(known ? file.packedBytes : 0, 18);
  header.writeUInt32LE(known ? file.bytes : 0, 22);
  header.writeUInt16LE(file.name.byteLength, 26);
  header.writeUInt16LE(extra.byteLength, 28);
  return Buffer.concat([header, file.name, extra]);
}

/** Returns the data descriptor that follows the bytes of a streamed file. */
export function factsAfter({ crc, packedBytes, bytes }: Pick<ListedFile, "crc" | "packedBytes" | "bytes">): Buffer {
  const facts = Buffer.alloc(16);
  facts.writeUInt32LE(0x0807_4b50, 0);
  facts.writeUInt32LE(crc, 4);
  facts.writeUInt32LE(packedBytes, 8);
  facts.writeUInt32LE(bytes, 12);
  return facts;
}

/** Returns the header of a file in the central directory. */
export function listEntry(file: ListedFile): Buffer {
  const far = file.offset >= maxUint32;
  const extra = far ? Buffer.concat([timeField(file.modifiedAt), zip64Field(file.offset)]) : timeField(file.modifiedAt);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  entry.writeUInt16LE(madeBy, 4);
  entry.writeUInt16LE(far ? zip64Version : plainVersion, 6);
  entry.writeUInt16LE(flagsOf(file), 8);
  entry.writeUInt16LE(file.method, 10);
  entry.writeUInt32LE(dosTime(file.modifiedAt), 12);
  entry.writeUInt32LE(file.crc, 16);
  entry.writeUInt32LE(file.packedBytes, 20);
  entry.writeUInt32LE(file.bytes, 24);
  entry.writeUInt16LE(file.name.byteLength, 28);
  entry.writeUInt16LE(extra.byteLength, 30);
  entry.writeUInt32LE(fileMode, 38);
  entry.writeUInt32LE(far ? maxUint32 : file.offset, 42);
  return Buffer.concat([entry, file.name, extra]);
}

/** Returns the end record of an archive, which locates its central directory. */
export function archiveEnd(files: number, listOffset: number, listBytes: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(files, maxUint16), 8);
  end.writeUInt16LE(Math.min(files, maxUint16), 10);
  end.writeUInt32LE(Math.min(listBytes, maxUint32), 12);
  end.writeUInt32LE(Math.min(listOffset, maxUint32), 16);
  const fits = files < maxUint16 && listOffset < maxUint32 && listBytes < maxUint32;
  return fits ? end : Buffer.concat([zip64End(files, listOffset, listBytes), end]);
}

/** Returns the Zip64 end record and its locator, for values too large for the plain one (APPNOTE 4.3.14, 4.3.15). */
function zip64End(files: number, listOffset: number, listBytes: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(madeBy, 12);
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(files), 24);
  end.writeBigUInt64LE(BigInt(files), 32);
  end.writeBigUInt64LE(BigInt(listBytes), 40);
  end.writeBigUInt64LE(BigInt(listOffset), 48);
  end.writeUInt32LE(0x0706_4b50, 56);
  end.writeBigUInt64LE(BigInt(listOffset + listBytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

function zip64Field(offset: number): Buffer {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(BigInt(offset), 4);
  return field;
}

/** The time in UTC, to the second (the "extended timestamp"): the older field has no zone. */
function timeField(at: Date): Buffer {
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(Math.max(0, Math.min(0x7fff_ffff, Math.floor(at.getTime() / 1000))), 5);
  return field;
}

/** Time in the low half, date in the high one; the format knows the years 1980 to 2107, in steps of two seconds. */
function dosTime(at: Date): number {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107) - 1980;
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 2 ** 16 + time;
}
