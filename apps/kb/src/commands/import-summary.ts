import { findingKinds, type ImportResult, type Report } from "@kb/importer";

/** Items that the summary lists of each kind. */
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
