import { opendir, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { causeOf, type Explained, explain, type Skipped, skippedFor } from "./explain.ts";

/** How the text of a page is written. */
export type SourceKind = "markdown" | "html" | "csv";

/** A file that becomes a document. */
export type SourceFile = {
  /** Relative to the folder, separated by `/`. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
  readonly kind: SourceKind;
};

export type Scan = {
  readonly files: readonly SourceFile[];
  readonly skipped: readonly Skipped[];
  /** Absolute paths of files that are not pages, by their relative paths. */
  readonly others: ReadonlyMap<string, string>;
  /** Names of hidden folders at the top, which show the product that wrote the folder. */
  readonly hidden: ReadonlySet<string>;
};

type Walk = { root: string; files: SourceFile[]; skipped: Skipped[]; others: Map<string, string>; hidden: Set<string> };

/** Folders of programs, which hold thousands of files that nobody wrote here. */
const programFolders: ReadonlySet<string> = new Set(["node_modules"]);

/**
 * Finds the Markdown files of a folder and its subfolders. Ignores names that begin with a dot. Follows symbolic links to
 * files inside the folder; skips links to folders, which could loop, and links that lead out of the folder.
 */
export async function scanFolder(folder: string): Promise<Scan> {
  const walk: Walk = { root: await realpath(folder), files: [], skipped: [], others: new Map(), hidden: new Set() };
  await scan(walk, walk.root, "");
  return walk;
}

async function scan(walk: Walk, absolute: string, path: string): Promise<void> {
  const folders: [string, string][] = [];
  try {
    for await (const entry of await opendir(absolute)) {
      if (entry.name.startsWith(".")) {
        if (path === "" && entry.isDirectory()) walk.hidden.add(entry.name);
        continue;
      }
      const child = join(absolute, entry.name);
      const childPath = path === "" ? entry.name : `${path}/${entry.name}`;
      if (programFolders.has(entry.name)) {
        walk.skipped.push(skippedFor(childPath, "program_folder", explain("program_folder", {})));
      } else if (entry.isDirectory()) folders.push([child, childPath]);
      else if (entry.isSymbolicLink()) await addLink(walk, child, childPath);
      else if (entry.isFile()) await addFile(walk, child, childPath);
    }
  } catch (error) {
    walk.skipped.push(unreadable(path === "" ? "." : path, error));
  }
  for (const [child, childPath] of folders) await scan(walk, child, childPath);
}

async function addLink(walk: Walk, absolute: string, path: string): Promise<void> {
  try {
    const target = await realpath(absolute);
    const inside = target === walk.root || target.startsWith(walk.root.endsWith(sep) ? walk.root : walk.root + sep);
    if (!inside) skip(walk, path, explain("link_leads_out", {}));
    else if ((await stat(target)).isDirectory()) skip(walk, path, explain("link_to_folder", {}));
    else await addFile(walk, absolute, path);
  } catch (error) {
    walk.skipped.push(unreadable(path, error));
  }
}

function skip(walk: Walk, path: string, why: Explained): void {
  walk.skipped.push(skippedFor(path, "symbolic_link", why));
}

/** The endings of Markdown files, in lower case. */
export const markdownExtensions: ReadonlySet<string> = new Set([".md", ".markdown", ".mdx"]);

async function addFile(walk: Walk, absolute: string, path: string): Promise<void> {
  if (!markdownExtensions.has(extname(path).toLowerCase())) {
    walk.others.set(path, absolute);
    return;
  }
  try {
    walk.files.push({ path, absolute, bytes: (await stat(absolute)).size, kind: "markdown" });
  } catch (error) {
    walk.skipped.push(unreadable(path, error));
  }
}

/** Creates the entry for an unreadable file or folder. */
export function unreadable(path: string, error: unknown): Skipped {
  return skippedFor(path, "unreadable", explain("unreadable", { cause: causeOf(error) }));
}
