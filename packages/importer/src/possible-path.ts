import { createHash } from "node:crypto";
import { posix } from "node:path";

/** The longest name of a file or folder on Linux, in bytes. */
export const maxNameBytes = 255;
/** The longest ending of a file that is kept, in bytes. */
const maxEndingBytes = 16;

/**
 * Shortens the names in a path that are too long for a file system: an archive from elsewhere may have 255 letters of three bytes each.
 * Equal names stay equal and others differ, by a hash at their end.
 */
export function possiblePath(path: string): string {
  return Buffer.byteLength(path) <= maxNameBytes ? path : path.split("/").map(possibleName).join("/");
}

function possibleName(given: string): string {
  if (Buffer.byteLength(given) <= maxNameBytes) return given;
  // Links write a name in one Unicode form, and archives of macOS in the other.
  const name = given.normalize("NFC");
  const ending = posix.extname(name);
  const kept = Buffer.byteLength(ending) <= maxEndingBytes ? ending : "";
  const end = `~${createHash("sha256").update(name).digest("hex").slice(0, 12)}${kept}`;
  return `${startOf(name, maxNameBytes - Buffer.byteLength(end))}${end}`;
}

/** Returns the first letters of a name, at most `bytes` bytes of them. */
function startOf(name: string, bytes: number): string {
  let used = 0;
  let start = "";
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    used += Buffer.byteLength(segment);
    if (used > bytes) break;
    start += segment;
  }
  return start.trimEnd();
}
