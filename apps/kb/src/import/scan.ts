import { opendir, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";

/** A Markdown file of the folder. */
export type SourceFile = {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
};

/** A file that is not imported, and why. `code` is for scripts. */
export type Skipped = { readonly path: string; readonly code: string; readonly reason: string };

export type Scan = {
  readonly files: readonly SourceFile[];
  readonly skipped: readonly Skipped[];
  /** The files that are not Markdown: where each stands, by its path. Those that no Markdown names are left alone. */
  readonly others: ReadonlyMap<string, string>;
};

type Walk = { root: string; files: SourceFile[]; skipped: Skipped[]; others: Map<string, string> };

/**
 * Finds the Markdown files of a folder and its subfolders. Names that begin with a dot are left alone. A symbolic link
 * to a Markdown file inside the folder is a file of its own; a link to a folder is skipped, which is why none can loop,
 * and so is a link that leads out of the folder.
 */
export async function scanFolder(folder: string): Promise<Scan> {
  const walk: Walk = { root: await realpath(folder), files: [], skipped: [], others: new Map() };
  await scan(walk, walk.root, "");
  return walk;
}

async function scan(walk: Walk, absolute: string, path: string): Promise<void> {
  const folders: [string, string][] = [];
  try {
    for await (const entry of await opendir(absolute)) {
      if (entry.name.startsWith(".")) continue;
      const child = join(absolute, entry.name);
      const childPath = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) folders.push([child, childPath]);
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
    if (!inside) skip(walk, path, "a symbolic link that leads out of the folder");
    else if ((await stat(target)).isDirectory()) skip(walk, path, "a symbolic link to a folder");
    else await addFile(walk, absolute, path);
  } catch (error) {
    walk.skipped.push(unreadable(path, error));
  }
}

function skip(walk: Walk, path: string, reason: string): void {
  walk.skipped.push({ path, code: "symbolic_link", reason });
}

async function addFile(walk: Walk, absolute: string, path: string): Promise<void> {
  const extension = extname(path).toLowerCase();
  if (extension !== ".md" && extension !== ".markdown") {
    walk.others.set(path, absolute);
    return;
  }
  try {
    walk.files.push({ path, absolute, bytes: (await stat(absolute)).size });
  } catch (error) {
    walk.skipped.push(unreadable(path, error));
  }
}

/** The entry for what the file system refuses to show. */
export function unreadable(path: string, error: unknown): Skipped {
  const cause = error instanceof Error ? error.message : String(error);
  return { path, code: "unreadable", reason: `cannot be read: ${cause}` };
}
