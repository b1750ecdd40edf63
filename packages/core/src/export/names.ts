/** Longest part of a path, in bytes of UTF-8: file systems take 255, and an ending and a number come to it. */
const maxNameBytes = 200;
// Nor do they take a path of any length (Linux 4,096 bytes): the deeper a tree, the shorter its names.
const roomyPathBytes = 600;
const longPathBytes = 1_600;

/** How long a name may be in a folder that stands so deep. */
export function nameRoom(folder: string): number {
  const bytes = Buffer.byteLength(folder);
  return bytes < roomyPathBytes ? maxNameBytes : bytes < longPathBytes ? 40 : 12;
}

// Windows keeps these for devices, whatever ending they have.
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[. ])/i;
// Windows takes none of the first, no file system the second, and the third would show a name as another one.
const unsafe = /[<>:"/\\|?*]|\p{Cc}|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** A title as a name that every file system takes, that leads nowhere, and that is what it shows. */
export function safeName(title: string, maxBytes = maxNameBytes, fallback = "Untitled"): string {
  const cleaned = title
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(unsafe, (character) => (/[<>:"/\\|?*]/.test(character) ? "-" : ""))
    .replaceAll(/\s+/g, " ");
  // A dot in front hides a file, one at the end is dropped by Windows.
  const bare = cut(cleaned.replace(/^[. ]+/, ""), maxBytes).replace(/[. ]+$/, "");
  return bare === "" ? fallback : bare.replace(devices, "$&_");
}

/** The text without what goes beyond so many bytes, cut between two characters as a reader sees them. */
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

/** The names of one folder: each is given once, and for file systems that know no case, neither is its like. */
export class Folder {
  readonly #taken: Set<string>;

  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved.map(folded));
  }

  /**
   * The name, or `name (2)` and so on where it is taken. With the ending after it, it is a file; without it, the folder of
   * what is below: both are free.
   */
  take(name: string, ending: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name} (${number})`;
      const keys = [folded(candidate), folded(candidate + ending)];
      if (keys.some((key) => this.#taken.has(key))) continue;
      for (const key of keys) this.#taken.add(key);
      return candidate;
    }
  }
}

const folded = (name: string): string => name.normalize("NFKC").toLowerCase().normalize("NFKC");

/** A relative address from one file of the archive to another. */
export function relativeAddress(from: string, to: string): string {
  const origin = from.split("/").slice(0, -1);
  const target = to.split("/");
  let shared = 0;
  while (shared < origin.length && shared < target.length - 1 && origin[shared] === target[shared]) shared += 1;
  const up = origin.slice(shared).map(() => "..");
  return [...up, ...target.slice(shared).map(encodeSegment)].join("/");
}

/** As an address in Markdown: parentheses would end it. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
