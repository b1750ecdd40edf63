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
  for (const [index, row] of rows.entries()) {
    if (index > 0) pieces.push(",");
    for (const piece of slicesOf(row)) pieces.push(piece);
  }
  pieces.push("]");
}

/** The characters that are sent together: to write and encode them takes some milliseconds. */
const partLength = 250_000;

/** Returns the JSON of rows with a comma between two, in pieces that are sent together. @param begins whether no row precedes them */
export function* rowParts(rows: readonly unknown[], begins: boolean): Generator<readonly string[], void> {
  let part: string[] = [];
  let length = 0;
  for (const [index, row] of rows.entries()) {
    if (index > 0 || !begins) part.push(",");
    for (const piece of slicesOf(row)) {
      part.push(piece);
      length += piece.length;
      if (length < partLength) continue;
      yield part;
      part = [];
      length = 0;
    }
  }
  if (part.length > 0) yield part;
}

/** The length from which the string of a row is written in slices: in one, V8 takes twice as long for it, and blocks others meanwhile. */
const longString = 50_000;
const sliceLength = 16_000;

/** Returns the JSON of a row in pieces, as `JSON.stringify` writes it. */
function* slicesOf(row: unknown): Generator<string, void> {
  const isLong = (value: unknown): value is string => typeof value === "string" && value.length > longString;
  if (typeof row !== "object" || row === null || !Object.values(row).some(isLong)) {
    yield JSON.stringify(row) ?? "null";
    return;
  }
  let before = "{";
  for (const [key, value] of Object.entries(row)) {
    if (value === undefined) continue;
    const name = `${before}${JSON.stringify(key)}:`;
    before = ",";
    if (isLong(value)) yield* slicesOfString(name, value);
    else yield name + JSON.stringify(value);
  }
  yield "}";
}

function* slicesOfString(before: string, text: string): Generator<string, void> {
  yield `${before}"`;
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = Math.min(from + sliceLength, text.length);
    if (isHighSurrogate(text.charCodeAt(to - 1)) && to < text.length) to -= 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
  }
  yield '"';
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;

/** An answer with rows. */
export type List = { readonly data: readonly unknown[] };

/** Tells whether an answer has rows. */
export function isList(body: unknown): body is List {
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
