import { type Entry, pieceBytes, pieceName } from "./format.ts";

/** Splits a stream of bytes into entries of a folder; returns at least one, which may be empty. */
export async function* piecesOf(
  folder: string,
  chunks: AsyncIterable<Uint8Array>,
  type?: string,
): AsyncGenerator<Entry> {
  let number = 0;
  let held: Uint8Array[] = [];
  let size = 0;
  const piece = (): Entry => {
    number += 1;
    const bytes = Buffer.concat(held, size);
    held = [];
    size = 0;
    return { name: folder + pieceName(number), bytes, type };
  };
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.byteLength; ) {
      const part = chunk.subarray(offset, offset + pieceBytes - size);
      held.push(part);
      size += part.byteLength;
      offset += part.byteLength;
      if (size === pieceBytes) yield piece();
    }
  }
  if (size > 0 || number === 0) yield piece();
}
