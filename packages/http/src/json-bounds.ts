import { ServiceError } from "@kb/core";

/** Bounds of a JSON text besides its size in bytes. Editor JSON of the largest document stays far below them. */
const maxDepth = 30_000;
const maxValues = 1_000_000;
const maxKeysOfObject = 10_000;
const maxEntriesOfList = 250_000;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const beginArray = 0x5b;
const endArray = 0x5d;
const beginObject = 0x7b;
const endObject = 0x7d;

/**
 * Limits the depth and the number of values of a JSON text before it is parsed, slice by slice. `JSON.parse` takes half a
 * second for 5 MB of brackets or of distinct keys, and this a few milliseconds. Syntax errors are left to `JSON.parse`.
 */
export class JsonScan {
  readonly #bytes: Uint8Array;
  /** The number of entries that each open object or list may still have. */
  readonly #open: number[] = [];
  #values = 0;
  #isInString = false;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * Scans the next bytes, at least `length` of them; returns whether others follow.
   * @throws {ServiceError} `validation_error` for a text beyond the bounds
   */
  next(length: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(this.#at + length, bytes.length);
    let at = this.#at;
    while (at < end) {
      if (this.#isInString) at = this.#passString(at, end);
      else {
        const byte = bytes[at];
        at += 1;
        if (byte === quote) this.#isInString = true;
        else if (byte === comma) this.#countEntry();
        else if (byte === beginObject) this.#enter(maxKeysOfObject);
        else if (byte === beginArray) this.#enter(maxEntriesOfList);
        else if (byte === endArray || byte === endObject) this.#open.pop();
      }
    }
    this.#at = at;
    return at < bytes.length;
  }

  /** Returns the position behind the string, or the first at or behind `end` with which a scan of it can go on. */
  #passString(begin: number, end: number): number {
    const bytes = this.#bytes;
    let at = begin;
    while (at < end && this.#isInString) {
      if (bytes[at] === quote) this.#isInString = false;
      at += bytes[at] === backslash ? 2 : 1;
    }
    return at;
  }

  #enter(maxEntries: number): void {
    this.#open.push(maxEntries);
    if (this.#open.length > maxDepth) throw tooLarge(`is nested deeper than ${maxDepth} levels`);
    this.#countValue();
  }

  #countEntry(): void {
    const left = (this.#open.pop() ?? maxEntriesOfList) - 1;
    if (left === 0) {
      throw tooLarge(`has more than ${maxKeysOfObject} keys in an object or ${maxEntriesOfList} entries in a list`);
    }
    this.#open.push(left);
    this.#countValue();
  }

  #countValue(): void {
    this.#values += 1;
    if (this.#values > maxValues) throw tooLarge(`has more than ${maxValues} values`);
  }
}

function tooLarge(what: string): ServiceError {
  const message = `The request body ${what}.`;
  return new ServiceError("validation_error", message, { details: [{ path: "", message }] });
}
