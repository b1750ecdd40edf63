import { transcode } from "node:buffer";

/**
 * Returns the JSON of an answer in pieces; of a list, each row is one. A string of Latin-1 letters alone is written and sent
 * several times faster than one with others, and one row with others would make the whole answer such a string.
 */
export function jsonPieces(body: unknown): readonly string[] {
  if (!isList(body)) return [JSON.stringify(body)];
  const pieces: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    const before = `${pieces.length === 0 ? "{" : ","}${JSON.stringify(key)}:`;
    if (key === "data") pushRows(pieces, before, body.data);
    else if (value !== undefined) pieces.push(before + JSON.stringify(value));
  }
  pieces.push("}");
  return pieces;
}

/** Adds the rows one by one: a call with all of them as arguments fails above about 125,000. */
function pushRows(pieces: string[], before: string, rows: readonly unknown[]): void {
  pieces.push(`${before}[`);
  for (const [index, row] of rows.entries()) pieces.push(`${index === 0 ? "" : ","}${JSON.stringify(row) ?? "null"}`);
  pieces.push("]");
}

function isList(body: unknown): body is { readonly data: readonly unknown[] } {
  return typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data);
}

/** The bytes of a UTF-16 unit. */
const unitBytes = 2;
/** The space in which texts are put together: allocating it for each answer takes longer than copying them. */
const maxScratchBytes = 2_000_000;
let scratch = Buffer.alloc(0);

/**
 * Returns texts of JSON as UTF-8, one after another. They have no lone surrogates, which JSON escapes. To copy a text as UTF-16 and
 * then encode all at once takes a quarter of the time of encoding each, unless all its letters are Latin-1.
 */
export function encodePieces(pieces: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = unitBytes * pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes > maxScratchBytes) return Buffer.from(pieces.join(""));
  if (scratch.length < bytes) scratch = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const piece of pieces) at += scratch.write(piece, at, "utf16le");
  return transcode(scratch.subarray(0, at), "utf16le", "utf8");
}
