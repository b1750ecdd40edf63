import { ServiceError } from "@kb/core";

/** Bounds of a JSON text besides its size in bytes. Editor JSON of the largest document stays far below them. */
const maxDepth = 30_000;
const maxValues = 1_000_000;
const maxKeysOfObject = 10_000;
const maxEntriesOfList = 250_000;

/** The length up to which a text is parsed in a few milliseconds, whatever it contains. */
const shortBytes = 64 * 1024;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const beginArray = 0x5b;
const endArray = 0x5d;
const beginObject = 0x7b;
const endObject = 0x7d;

/**
 * Limits the depth and the number of values of a JSON text before it is parsed. `JSON.parse` takes half a second for 5 MB of
 * brackets or of distinct keys, and this a few milliseconds. Syntax errors are left to `JSON.parse`.
 * @throws {ServiceError} `validation_error`
 */
export function requireBoundedJson(bytes: Uint8Array): void {
  if (bytes.length <= shortBytes) return;
  // The number of entries that each open object or list may still have.
  const open: number[] = [];
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === beginArray || byte === beginObject) {
      values += 1;
      open.push(byte === beginObject ? maxKeysOfObject : maxEntriesOfList);
      if (open.length > maxDepth) throw tooLarge(`is nested deeper than ${maxDepth} levels`);
    } else if (byte === endArray || byte === endObject) open.pop();
    else if (byte === comma) {
      values += 1;
      const left = (open.pop() ?? maxEntriesOfList) - 1;
      if (left === 0)
        throw tooLarge(`has more than ${maxKeysOfObject} keys in an object or ${maxEntriesOfList} entries in a list`);
      open.push(left);
    }
    if (values > maxValues) throw tooLarge(`has more than ${maxValues} values`);
  }
}

/** Returns the position of the quotation mark that ends a string, or the length of a text that does not end it. */
function endOfString(bytes: Uint8Array, begin: number): number {
  for (let end = bytes.indexOf(quote, begin + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let before = end - 1;
    while (bytes[before] === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return bytes.length;
}

function tooLarge(what: string): ServiceError {
  const message = `The request body ${what}.`;
  return new ServiceError("validation_error", message, { details: [{ path: "", message }] });
}
