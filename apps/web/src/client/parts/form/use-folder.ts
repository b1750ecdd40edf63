import { useRef, useState } from "react";
import { chosenFolder, type Folder, readFolder } from "../../transfer/folder.ts";
import { zipFolder } from "../../transfer/zip-folder.ts";

/** The words of a field about a folder that it was given. */
export type FolderWords = {
  readonly choose: string;
  readonly packing: string;
  readonly empty: string;
  readonly tooLarge: string;
  readonly unreadable: string;
};

/** The folder that a field packs: `problem` tells why it could not. */
export type PackedFolder = {
  readonly isPacking: boolean;
  readonly problem: string | undefined;
  readonly drop: (entry: FileSystemDirectoryEntry) => void;
  readonly choose: (files: Iterable<File>) => void;
  /** Forgets a folder that is being packed, because something else was chosen. */
  readonly leave: () => void;
};

/** Packs folders into archives, and passes on that of the latest. */
export function useFolder(words: FolderWords, onPacked: (archive: File) => void): PackedFolder {
  const [isPacking, setPacking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const turn = useRef(0);
  const pack = async (folder: Promise<Folder>): Promise<void> => {
    turn.current += 1;
    const own = turn.current;
    setPacking(true);
    setProblem(undefined);
    const packed = await packedOf(folder, words).catch(() => words.unreadable);
    if (own !== turn.current) return;
    setPacking(false);
    if (typeof packed === "string") setProblem(packed);
    else onPacked(packed);
  };
  return {
    isPacking,
    problem,
    drop: (entry) => void pack(readFolder(entry)),
    choose: (files) => void pack(Promise.resolve(chosenFolder(files))),
    leave: () => {
      turn.current += 1;
      setPacking(false);
      setProblem(undefined);
    },
  };
}

/** Returns the archive of a folder, or why there is none. */
async function packedOf(reading: Promise<Folder>, words: FolderWords): Promise<File | string> {
  const folder = await reading;
  if (folder.files.length === 0) return words.empty;
  return (await zipFolder(folder)) ?? words.tooLarge;
}
