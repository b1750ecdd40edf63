import type { Note, Skipped } from "./explain.ts";
import type { Report } from "./report.ts";

/** The result of an import. */
export type ImportResult = {
  imported: number;
  /** Existing documents that were updated: with `--update`, else only those that an earlier import left unfinished. */
  updated: number;
  /** Existing documents that did not differ; only with `--update`. */
  unchanged: number;
  /** Existing documents that were left unchanged. */
  existing: number;
  /** Documents created for folders without a file; not included in other numbers. */
  folders: number;
  /** Documents with links to other imported files. */
  linked: number;
  /** Files that are attachments now. */
  attached: number;
  /** Number of files that are neither Markdown nor linked, by extension (`.png`); they are ignored. */
  others: Record<string, number>;
  skipped: Skipped[];
  /** Remarks about files that were imported with changes. */
  notes: Note[];
  /** Front matter keys without a meaning, with the number of files that have them. */
  unusedKeys: Record<string, number>;
  /** Everything else that was not understood, by kind and file. */
  report: Report;
};

export const emptyResult = (): ImportResult => ({
  imported: 0,
  updated: 0,
  unchanged: 0,
  existing: 0,
  folders: 0,
  linked: 0,
  attached: 0,
  others: {},
  skipped: [],
  notes: [],
  unusedKeys: {},
  report: { counts: {}, findings: [], omitted: 0 },
});

/** Returns whether nothing of the source is a document of the collection. */
export const isEmptyImport = ({ imported, updated, unchanged, existing }: ImportResult): boolean =>
  imported + updated + unchanged + existing === 0;
