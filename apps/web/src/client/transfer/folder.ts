/** A file of a folder, by its path below it. */
type FolderFile = { readonly path: string; readonly file: File };

/** A folder of this device, with the files below it that an import can use. */
export type Folder = { readonly name: string; readonly files: readonly FolderFile[] };

/** Reads a folder that was dropped. @throws {DOMException} for a file or folder that cannot be read */
export async function readFolder(top: FileSystemDirectoryEntry): Promise<Folder> {
  const files: FolderFile[] = [];
  const waiting: { readonly entry: FileSystemEntry; readonly path: string }[] = [];
  const addAll = async (folder: FileSystemDirectoryEntry, above: string): Promise<void> => {
    for (const entry of await entriesOf(folder)) waiting.push({ entry, path: `${above}${entry.name}` });
  };
  await addAll(top, "");
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { entry, path } = next;
    if (!isKept(path)) continue;
    if (isDirectory(entry)) await addAll(entry, `${path}/`);
    else if (isFile(entry)) files.push({ path, file: await fileOf(entry) });
  }
  return { name: top.name, files };
}

/** Returns the folder that was chosen in a field for folders. Its files name their paths, from the name of the folder on. */
export function chosenFolder(chosen: Iterable<File>): Folder {
  const all = [...chosen].map((file) => ({ path: file.webkitRelativePath.replace(/^[^/]*\//, ""), file }));
  const name = all[0]?.file.webkitRelativePath.split("/")[0] ?? "";
  return { name, files: all.filter(({ path }) => isKept(path)) };
}

/** Returns whether an import looks at a path: not at hidden files, but for those that show a vault of Obsidian, nor at installed programs. */
const isKept = (path: string): boolean =>
  path
    .split("/")
    .every(
      (name, depth) => name !== "node_modules" && (!name.startsWith(".") || (depth === 0 && name === ".obsidian")),
    );

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Reads all entries of a folder. A reader returns them a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const read = (): Promise<FileSystemEntry[]> => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  const all: FileSystemEntry[] = [];
  for (let some = await read(); some.length > 0; some = await read()) all.push(...some);
  return all;
}
