import { type Entry, getFileNameLowLevel, validateFileName } from "yauzl";
import { type Explained, explain, type Skipped, skippedFor } from "../explain.ts";
import { maxNameBytes, possiblePath } from "../possible-path.ts";

/**
 * An entry to unpack, or the reason why not; null for entries without content of the user. `remark` tells why it is not unpacked
 * under its own name.
 */
export type NamedEntry = { readonly path: string; readonly remark: Explained | undefined } | Skipped | null;

const fileTypeMask = 0o170000;
const symbolicLink = 0o120000;

/** Reads the name of an entry, without what leads out of the archive. Links and encrypted entries are not unpacked. */
export function nameOfEntry(entry: Entry): NamedEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const written = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  if (written.endsWith("/") || isOfSystem(written)) return null;
  const inside = validateFileName(written) === null ? written : withinArchive(written);
  const path = possiblePath(inside);
  if (path === "" || path.includes("\0")) return skippedFor(written, "unsafe_name", explain("no_file_name", {}));
  if (((entry.externalFileAttributes >>> 16) & fileTypeMask) === symbolicLink) {
    return skippedFor(path, "symbolic_link", explain("link", {}));
  }
  if (entry.isEncrypted()) return skippedFor(path, "encrypted", explain("encrypted", {}));
  if (!entry.canDecodeFileData()) return skippedFor(path, "unreadable", explain("compression", {}));
  return { path, remark: remarkOn(written, inside, path) };
}

function remarkOn(written: string, inside: string, path: string): Explained | undefined {
  if (inside !== written) return explain("led_out", { name: written });
  return path === inside ? undefined : explain("name_shortened", { limit: maxNameBytes });
}

/** Removes everything of a name that leads out of the archive: drives, roots and parent folders. */
const withinArchive = (name: string): string =>
  name
    .replace(/^[a-z]:/i, "")
    .split("/")
    .filter((segment) => segment !== "" && segment !== "." && segment !== "..")
    .join("/");

/** Returns whether macOS or Windows added the entry. */
const isOfSystem = (path: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(path);
