import { findingKinds, type Report } from "./report.ts";
import type { Skipped } from "./scan.ts";

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
  notes: { path: string; message: string }[];
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

const listed = 20;

/** Returns the lines of the summary. */
export function resultLines(result: ImportResult, title: string): string[] {
  const counts: [number, string][] = [
    [result.imported, "imported"],
    [result.updated, "updated"],
    [result.unchanged, "unchanged"],
    [result.existing, "existing, left unchanged (use --update to update them)"],
    [result.folders, "documents created for folders"],
    [result.linked, "with links to other imported files"],
    [result.attached, "files attached"],
  ];
  return [
    title,
    ...counts
      .filter(([number], index) => number > 0 || index === 0)
      .map(([number, what]) => `  ${figure(number)} ${what}`),
    ...section(
      "skipped",
      result.skipped.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    ...section(
      "imported with a remark",
      result.notes.map(({ path, message }) => `${path}: ${message}`),
    ),
    ...tally("ignored files that are not Markdown", result.others, (extension) => extension || "(no extension)"),
    ...reportLines(result.report),
    ...tally("ignored front matter keys", result.unusedKeys, (key) => key),
  ];
}

function reportLines({ findings }: Report): string[] {
  return Object.entries(findingKinds).flatMap(([kind, title]) => {
    const found = findings.filter((finding) => finding.kind === kind && kind !== "unused_key");
    const lines = found.map(({ path, detail, count }) => `${path}: ${detail}${count > 1 ? ` (${count} times)` : ""}`);
    return section(title, lines);
  });
}

const figure = (number: number): string => number.toLocaleString("en").padStart(7);

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > listed ? [`          … and ${lines.length - listed} more (--json lists all)`] : [];
  return [`  ${figure(lines.length)} ${title}:`, ...lines.slice(0, listed).map((line) => `          ${line}`), ...rest];
}

function tally(title: string, numbers: Readonly<Record<string, number>>, label: (key: string) => string): string[] {
  const entries = Object.entries(numbers).sort(([, one], [, other]) => other - one);
  if (entries.length === 0) return [];
  return [`  ${title}: ${entries.map(([key, number]) => `${label(key)} ${number.toLocaleString("en")}`).join(", ")}`];
}
