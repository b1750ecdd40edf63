/**
 * The maximum length of a path segment in bytes of UTF-8. File systems allow 255, including an extension and a number.
 */
const maxNameBytes = 200;
// Whole paths are limited too (4,096 bytes on Linux): names get shorter deep in a tree.
const roomyPathBytes = 600;
const longPathBytes = 1_600;

/** Returns the maximum length of a name in a folder, by the length of its path. */
export function nameRoom(folder: string): number {
  const bytes = Buffer.byteLength(folder);
  return bytes < roomyPathBytes ? maxNameBytes : bytes < longPathBytes ? 40 : 12;
}

// Windows reserves these names for devices, with any extension.
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[. ])/i;
// Characters that Windows forbids, that no file system allows, and that would display a name as another one.
const unsafe = /[<>:"/\\|?*]|\p{Cc}|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/**
 * Turns a title into a file name that every file system allows, that leads out of no folder, and that displays as it
 * is.
 */
export function safeName(title: string, maxBytes = maxNameBytes, fallback = "Untitled"): string {
  const cleaned = title
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(unsafe, (character) => (/[<>:"/\\|?*]/.test(character) ? "-" : ""))
    .replaceAll(/\s+/g, " ");
  // A leading dot hides a file, and Windows drops a trailing one.
  const bare = cut(cleaned.replace(/^[. ]+/, ""), maxBytes).replace(/[. ]+$/, "");
  return bare === "" ? fallback : bare.replace(devices, "$&_");
}

/** Cuts a text to a number of bytes, between two graphemes. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let kept = "";
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    kept += segment;
  }
  return kept;
}

/** Assigns the names of one folder. Each is unique, also on file systems that ignore case. */
export class Folder {
  readonly #taken: Set<string>;
  /** The next number to try for a name, so that each is tried once, however many documents share it. */
  readonly #next = new Map<string, number>();

  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved.map(folded));
  }

  /**
   * Returns the name, or `name (2)` and so on if it is taken. It is free as a file with the extension, and as a folder
   * without it.
   */
  take(name: string, ending: string): string {
    const base = folded(name);
    for (let number = this.#next.get(base) ?? 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name} (${number})`;
      const keys = [folded(candidate), folded(candidate + ending)];
      if (keys.some((key) => this.#taken.has(key))) continue;
      for (const key of keys) this.#taken.add(key);
      this.#next.set(base, number + 1);
      return candidate;
    }
  }
}

const folded = (name: string): string => name.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Returns the relative address from one file of the archive to another. */
export function relativeAddress(from: string, to: string): string {
  const origin = from.split("/").slice(0, -1);
  const target = to.split("/");
  let shared = 0;
  while (shared < origin.length && shared < target.length - 1 && origin[shared] === target[shared]) shared += 1;
  const up = origin.slice(shared).map(() => "..");
  return [...up, ...target.slice(shared).map(encodeSegment)].join("/");
}

/** Escapes a path segment for Markdown, in which parentheses would end the address. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
