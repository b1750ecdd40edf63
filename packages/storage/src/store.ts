/** A part of some bytes: both ends are inside, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Where the bytes of attachments are. Keys are paths of letters, digits, `-` and `_` between `/`: what a person typed is
 * never part of one.
 */
export type FileStore = {
  /** Stores a stream whole or not at all: when it fails or is cut off, nothing is under the key. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, contentType: string): Promise<void>;
  /** The bytes, or a part of them; null where nothing is under the key. Ending the iteration early lets go of the source. */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes everything whose key begins with these whole parts; nothing there is no failure. */
  removeBelow(prefix: string): Promise<void>;
};

const keyForm = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/;

/** Guards the way to the disk or the bucket. @throws {Error} for a key that could lead anywhere else: a defect of the caller. */
export function requireKey(key: string): string {
  if (!keyForm.test(key)) throw new Error(`not a key of the file store: ${JSON.stringify(key)}`);
  return key;
}
