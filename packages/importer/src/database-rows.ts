import { posix } from "node:path";
import { withoutNotionId } from "./notion.ts";
import type { SourceFile } from "./scan.ts";

/** Finds the address of the page of a row, from the database that lists it; undefined if the row has no page. */
export function rowPages(files: readonly SourceFile[]): (database: string, name: string) => string | undefined {
  const pages = new Map<string, string>();
  for (const { path, kind } of files) {
    if (kind === "markdown") pages.set(keyOf(posix.dirname(path), withoutNotionId(posix.parse(path).name)), path);
  }
  return (database, name) => {
    const { dir, name: base } = posix.parse(database);
    const path = pages.get(keyOf(posix.join(dir, base), name));
    return path === undefined ? undefined : `/${path.split("/").map(encodeURIComponent).join("/")}`;
  };
}

/** Notion replaces characters that no file name may have, and cuts long names. */
const keyOf = (folder: string, name: string): string =>
  `${folder}\n${name
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()
    .slice(0, 40)}`;
