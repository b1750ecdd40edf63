import type { ImportEnd, ImportExplanation } from "@kb/core";
import type { ImportJob } from "../import-job.ts";
import type { Imported } from "../run-state.ts";

/** The result of an import as it is stored. */
export type JobResult = Extract<ImportEnd, { status: "done" }>["result"];

type Problem = JobResult["problems"][number];

const maxProblems = 500;
const maxDetailLength = 500;

/** Returns the figures of an import, and at most 500 of its problems, the skipped files first. */
export function jobResultOf(job: ImportJob, { result, urls }: Imported): JobResult {
  const { skipped, notes, report, ...figures } = result;
  const documentIdOf = (path: string): string | null => urls.get(path)?.split("/").at(-1) ?? null;
  const problem = (
    kind: string,
    path: string,
    detail: string,
    { explanation = null, count = 1 }: { readonly explanation?: ImportExplanation | null; readonly count?: number },
  ): Problem => ({
    kind,
    path: cut(path),
    detail: cut(detail),
    explanation: explanation && shortened(explanation),
    count,
    documentId: documentIdOf(path),
  });
  const findings = report.findings.filter(({ kind }) => kind !== "unused_key");
  const unused = report.counts.unused_key ?? 0;
  const problems = [
    ...skipped.map(({ path, reason, explanation }) => problem("skipped", path, reason, { explanation })),
    ...notes.map(({ path, message, explanation }) => problem("note", path, message, { explanation })),
    ...findings.map(({ kind, path, detail, count }) => problem(kind, path, detail, { count })),
  ];
  const listed = problems.slice(0, maxProblems);
  const beyondReport = Math.max(0, report.omitted - unused);
  return {
    ...figures,
    product: job.product,
    files: job.files,
    problems: listed,
    omitted: problems.length - listed.length + beyondReport,
  };
}

/** Returns an explanation whose texts are as short as a detail is: values come from files, which may be of any length. */
function shortened({ code, values }: ImportExplanation): NonNullable<Problem["explanation"]> {
  const entries = Object.entries<string | number>(values);
  const short = (value: string | number) => (typeof value === "string" ? cut(value) : value);
  return { code, values: Object.fromEntries(entries.map(([name, value]) => [name, short(value)])) };
}

/** Returns the beginning of a text, without what PostgreSQL does not store in JSON: NUL, and half of a character. */
const cut = (text: string): string => text.slice(0, maxDetailLength).toWellFormed().replaceAll("\0", "\ufffd");
