import type { Skipped } from "./scan.ts";

/** What became of the files of an import. */
export type ImportResult = {
  imported: number;
  /** Were there before, and differed; with `--update` only. */
  updated: number;
  /** Were there before, and say the same; with `--update` only. */
  unchanged: number;
  /** Were there before and were left alone. */
  existing: number;
  /** Pages made for folders that have none of their own; these are in no other number. */
  folders: number;
  /** Documents whose links to other files now lead to those files' documents. */
  linked: number;
  /** Files that became attachments, or were some before. */
  attached: number;
  /** How many files are not Markdown and named by none, by their extension (`.png`); they are left alone. */
  others: Record<string, number>;
  skipped: Skipped[];
  /** Imported, but not quite as the file says. */
  notes: { path: string; message: string }[];
  /** Front matter keys that mean nothing here, with the number of files that have them. */
  unusedKeys: Record<string, number>;
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
});

const listed = 20;

/** The summary for a person. */
export function resultLines(result: ImportResult, collection: string, seconds: number): string[] {
  const counts: [number, string][] = [
    [result.imported, "imported"],
    [result.updated, "updated"],
    [result.unchanged, "unchanged"],
    [result.existing, "there already and left as they are (--update brings them up to date)"],
    [result.folders, "pages made for folders"],
    [result.linked, "with links that now lead to what was imported"],
    [result.attached, "files that they name, as attachments"],
  ];
  return [
    `Collection "${collection}", ${seconds.toFixed(1)} s:`,
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
    ...tally("files that are not Markdown, left alone", result.others, (extension) => extension || "(no extension)"),
    ...tally("front matter keys that are not used here", result.unusedKeys, (key) => key),
  ];
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
