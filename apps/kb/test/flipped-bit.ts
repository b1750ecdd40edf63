import { gunzipSync } from "node:zlib";

/** Flips a bit at a place, or at the next one where that changes the content: a few bits only pad the compressed stream. */
export function withFlippedBit(whole: Buffer, place: number): Buffer {
  const content = gunzipSync(whole);
  const isChanged = (bytes: Buffer): boolean => {
    try {
      return !gunzipSync(bytes).equals(content);
    } catch {
      return true;
    }
  };
  for (let at = place; at < whole.byteLength; at++) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    if (isChanged(flipped)) return flipped;
  }
  throw new Error(`No bit from ${place} on changes the content`);
}
