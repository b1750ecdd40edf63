import { type Entry, getFileNameLowLevel, validateFileName } from "yauzl";
import { possiblePath } from "../possible-path.ts";
import type { Skipped } from "../scan.ts";

/**
 * An entry to unpack, or the reason why not; null for entries without content of the user. `remark` tells why it is not unpacked
 * under its own name.
 */
export type NamedEntry = { readonly path: string; readonly remark: string | undefined } | Skipped | null;

const fileTypeMask = 0o170000;
const symbolicLink = 0o120000;

/** Reads the name of an entry, without what leads out of the archive. Links and encrypted entries are not unpacked. */
export function nameOfEntry(entry: Entry): NamedEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const written = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  if (written.endsWith("/") || isOfSystem(written)) return null;
  const inside = validateFileName(written) === null ? written : withinArchive(written);
  const path = possiblePath(inside);
  if (path === "" || path.includes("\0"))
    return { path: written, code: "unsafe_name", reason: "its name is no file name" };
  if (((entry.externalFileAttributes >>> 16) & fileTypeMask) === symbolicLink) {
    return { path, code: "symbolic_link", reason: "a symbolic link" };
  }
  if (entry.isEncrypted()) return { path, code: "encrypted", reason: "it is encrypted" };
  if (!entry.canDecodeFileData()) return { path, code: "unreadable", reason: "its compression is not supported" };
  return { path, remark: remarkOn(written, inside, path) };
}

function remarkOn(written: string, inside: string, path: string): string | undefined {
  if (inside !== written) return `unpacked here, because its name leads out of the archive: ${written}`;
  return path === inside ? undefined : "unpacked under a shorter name, because file systems take at most 255 bytes";
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
