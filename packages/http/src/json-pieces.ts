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

/** Returns texts as UTF-8, one after another. */
export function encodePieces(pieces: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}
