import type { Skipped } from "./explain.ts";
import { type Reading, readDraft } from "./read.ts";
import type { SourceFile } from "./scan.ts";

/** The facts about a file before the first document is written: its title, and its names in links and trees. */
export type FileFacts = {
  readonly title: string;
  readonly aliases: readonly string[];
  readonly routes: readonly string[];
  readonly position: number | null;
  readonly parent: string | null;
};

/** The facts of the files that can be imported, and the files that cannot. Texts are not kept: there may be any number. */
export type Facts = { readonly files: ReadonlyMap<string, FileFacts>; readonly skipped: ReadonlyMap<string, Skipped> };

/** Reads all files once. */
export async function readFacts(
  files: readonly SourceFile[],
  reading: Reading,
  signal: AbortSignal,
  onFile: (path: string) => void,
): Promise<Facts> {
  const facts = new Map<string, FileFacts>();
  const skipped = new Map<string, Skipped>();
  for (const file of files) {
    signal.throwIfAborted();
    const draft = await readDraft(file, reading);
    if ("reason" in draft) skipped.set(file.path, draft);
    else {
      const { title, parent, front } = draft;
      const { aliases, routes, position } = front;
      facts.set(file.path, { title, aliases, routes, position, parent });
    }
    onFile(file.path);
  }
  return { files: facts, skipped };
}
