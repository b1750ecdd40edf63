import { posix } from "node:path";
import type { SourceFile } from "./scan.ts";

/** A page to import: a file, or a folder without one. */
export type Page = {
  /** Name of the folder, or of the file without its extension. */
  readonly name: string;
  /** Path in the source: of the file, else of the folder. */
  readonly path: string;
  /** Null for a folder without a file. */
  readonly file: SourceFile | null;
  /** The folder that the page represents; null for an ordinary file. */
  readonly folder: string | null;
  readonly children: readonly Page[];
};

type Folder = { path: string; files: SourceFile[]; folders: Map<string, Folder> };

const indexNames = ["index", "_index", "readme"];

/** Returns the position of a file or folder among its siblings; undefined orders it by name, after the others. */
export type PositionOf = (path: string) => number | undefined;

/**
 * Arranges files as pages. A folder becomes the parent of its files. Its text comes from the file of the same name next to
 * it (`guides.md` and `guides/`), else from its `index`, `_index` or `README`, else it is empty. Sorts by position, then by
 * name.
 */
export function pagesOf(files: readonly SourceFile[], positionOf: PositionOf = () => undefined): readonly Page[] {
  const root = newFolder("");
  for (const file of files) folderAt(root, posix.dirname(file.path)).files.push(file);
  return pagesIn(root, null, byPlace(positionOf));
}

/** Arranges files as pages by the parent that each names. Files whose parents form a circle come to the top. */
export function pagesByParent(
  files: readonly SourceFile[],
  parentOf: (path: string) => string | null,
): readonly Page[] {
  const known = new Set(files.map(({ path }) => path));
  const children = Map.groupBy(files, ({ path }) => {
    const parent = parentOf(path);
    return parent !== null && known.has(parent) && !isBelow(parent, path, parentOf) ? parent : null;
  });
  const below = (path: string | null): Page[] =>
    (children.get(path) ?? []).map((file) => ({
      name: baseName(file),
      path: file.path,
      file,
      folder: null,
      children: below(file.path),
    }));
  return below(null);
}

const maxDepth = 200;

/** Returns whether a page is `ancestor`, below it, or too deep to know. */
function isBelow(path: string, ancestor: string, parentOf: (path: string) => string | null): boolean {
  let depth = 0;
  for (let at: string | null = path; at !== null; at = parentOf(at)) {
    depth += 1;
    if (at === ancestor || depth > maxDepth) return true;
  }
  return false;
}

const newFolder = (path: string): Folder => ({ path, files: [], folders: new Map() });

function folderAt(root: Folder, path: string): Folder {
  if (path === ".") return root;
  const parent = folderAt(root, posix.dirname(path));
  const name = posix.basename(path);
  const found = parent.folders.get(name) ?? newFolder(path);
  parent.folders.set(name, found);
  return found;
}

/** Returns the pages of a folder, without the folder's own file. */
function pagesIn(folder: Folder, own: SourceFile | null, compare: Compare): readonly Page[] {
  const pages: Page[] = [];
  const taken = new Set<SourceFile>(own === null ? [] : [own]);
  for (const [name, child] of folder.folders) {
    const beside = folder.files.find((file) => baseName(file) === name && !taken.has(file)) ?? null;
    if (beside !== null) taken.add(beside);
    const file = beside ?? indexOf(child);
    pages.push({
      name,
      path: file?.path ?? child.path,
      file,
      folder: child.path,
      children: pagesIn(child, file, compare),
    });
  }
  for (const file of folder.files) {
    if (!taken.has(file)) pages.push({ name: baseName(file), path: file.path, file, folder: null, children: [] });
  }
  return pages.sort(compare);
}

const baseName = (file: SourceFile): string => posix.parse(file.path).name;

function indexOf(folder: Folder): SourceFile | null {
  for (const wanted of indexNames) {
    const found = folder.files.find((file) => baseName(file).toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

const names = new Intl.Collator("en", { numeric: true });

type Compare = (one: Page, other: Page) => number;

/** Orders pages by position, then all others by name. */
function byPlace(positionOf: PositionOf): Compare {
  const place = ({ path, folder }: Page): number =>
    positionOf(path) ?? (folder === null ? undefined : positionOf(folder)) ?? Number.MAX_VALUE;
  return (one, other) => place(one) - place(other) || byName(one, other);
}

function byName(one: Page, other: Page): number {
  return names.compare(one.name, other.name) || (one.path < other.path ? -1 : 1);
}

/** Counts pages at every depth. */
export function countPages(pages: readonly Page[]): number {
  return pages.reduce((sum, page) => sum + 1 + countPages(page.children), 0);
}
