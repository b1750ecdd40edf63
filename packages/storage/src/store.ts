/** A range of bytes; both ends are included, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Stores the bytes of attachments. Keys are paths of letters, digits, `-` and `_` between `/`; they contain no text that a
 * user typed.
 */
export type FileStore = {
  /** Stores a stream completely or not at all. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** Returns the bytes or a range of them; null if the key is missing. Ending the iteration early closes the source. */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes every key that is `prefix` or below it. Does nothing if there is none. */
  removeBelow(prefix: string): Promise<void>;
};

const keyForm = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/;

/** Returns the key. @throws {Error} for a key that could lead outside the store, which is a defect of the caller */
export function requireKey(key: string): string {
  if (!keyForm.test(key)) throw new Error(`not a key of the file store: ${JSON.stringify(key)}`);
  return key;
}
