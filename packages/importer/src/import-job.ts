import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Unpacked } from "./archive/unpack.ts";
import { readManifest } from "./manifest.ts";
import type { Product } from "./product.ts";
import { Findings } from "./report.ts";
import { importSource } from "./run.ts";
import type { Imported, ImportOptions } from "./run-state.ts";
import { scanFolder } from "./scan.ts";
import { sourceOf } from "./sources.ts";
import type { Store } from "./store.ts";

type Switches = Pick<ImportOptions, "update" | "textTags" | "signal"> &
  Partial<Pick<ImportOptions, "onFile" | "onPage">>;

/** A source that was scanned, to be imported into a store. */
export type ImportJob = {
  readonly product: Product;
  /** Number of files that become documents. */
  readonly files: number;
  /** Absolute paths of the files that may become attachments. */
  readonly others: ReadonlyMap<string, string>;
  readonly run: (store: Store, switches: Switches) => Promise<Imported>;
};

type Input = {
  readonly folder: string;
  readonly isArchive: boolean;
  /** Folder for converted files. */
  readonly temporary: string;
  readonly unpacked: Unpacked;
};

/** Scans a source and finds out which product wrote it. */
export async function importJob({ folder, isArchive, temporary, unpacked }: Input): Promise<ImportJob> {
  const top = isArchive ? await innerFolder(folder) : folder;
  const scan = await scanFolder(top);
  const findings = new Findings();
  const source = await sourceOf(scan, temporary, findings);
  const manifest = await readManifest(top);
  return {
    product: source.product,
    files: source.files.length,
    others: source.others,
    run: async (store, switches) => {
      const imported = await importSource(source, { ...withoutSteps, store, manifest, findings, ...switches });
      imported.result.skipped.unshift(...unpacked.skipped, ...scan.skipped);
      imported.result.notes.unshift(...unpacked.notes);
      return imported;
    },
  };
}

const withoutSteps = { onFile: () => {}, onPage: () => {} };

/** Returns the folder in which an archive keeps everything, as most products write it; else the folder itself. */
async function innerFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries;
  return entries.length === 1 && only?.isDirectory() && !only.name.startsWith(".") ? join(folder, only.name) : folder;
}
