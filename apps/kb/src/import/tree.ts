import { posix } from "node:path";
import type { Manifest } from "./manifest.ts";
import type { SourceFile } from "./scan.ts";

/** A page to be: a file, or a folder that has none of its own. */
export type Page = {
  /** The folder's or the file's name, without its extension. */
  readonly name: string;
  /** Where it stands in the source: the file, else the folder. */
  readonly path: string;
  /** Null for a folder without a page of its own. */
  readonly file: SourceFile | null;
  /** The folder that the page stands for; null for a file among others. */
  readonly folder: string | null;
  readonly children: readonly Page[];
};

type Folder = { path: string; files: SourceFile[]; folders: Map<string, Folder> };

const indexNames = ["index", "_index", "readme"];

/**
 * Arranges files as pages. A folder becomes the parent of what it holds. Its own page is the file beside it with its name
 * (`guides.md` beside `guides/`), else the `index`, `_index` or `README` in it, else an empty one. Pages are in the order
 * of their names, or as the manifest has them.
 */
export function pagesOf(files: readonly SourceFile[], manifest: Manifest = new Map()): readonly Page[] {
  const root = newFolder("");
  for (const file of files) folderAt(root, posix.dirname(file.path)).files.push(file);
  return pagesIn(root, null, byPlace(manifest));
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

/** The pages of a folder, without the one that is the folder's own. */
function pagesIn(folder: Folder, own: SourceFile | null, order: Order): readonly Page[] {
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
      children: pagesIn(child, file, order),
    });
  }
  for (const file of folder.files) {
    if (!taken.has(file)) pages.push({ name: baseName(file), path: file.path, file, folder: null, children: [] });
  }
  return pages.sort(order);
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

type Order = (one: Page, other: Page) => number;

/** What the manifest does not know comes after what it does, by name. */
function byPlace(manifest: Manifest): Order {
  const place = (page: Page): number => manifest.get(page.path)?.position ?? manifest.size;
  return (one, other) => place(one) - place(other) || byName(one, other);
}

function byName(one: Page, other: Page): number {
  return names.compare(one.name, other.name) || (one.path < other.path ? -1 : 1);
}

/** How many pages there are, at every depth. */
export function countPages(pages: readonly Page[]): number {
  return pages.reduce((sum, page) => sum + 1 + countPages(page.children), 0);
}
