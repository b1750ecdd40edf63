/**
 * The parts on which two readers of Markdown can be compared: blocks, runs of text with their set of marks, and nothing of
 * either reader's own habits (nesting order of marks, joined text nodes, positions).
 */
export type Reading = [kind: string, ...rest: (string | number | boolean | null | Reading | Reading[])[]];

/** A run of text or an inline atom, with the marks that lie on it. */
export interface Run {
  marks: string[];
  atom: Reading | null;
  text: string;
}

/** Joins neighbours with equal marks and writes each run as a reading; white space between words counts once. */
export function runReadings(runs: Run[]): Reading[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && !last.atom && !run.atom && markSet(last) === markSet(run)) last.text += run.text;
    else joined.push({ ...run });
  }
  return joined.filter((run) => run.atom !== null || run.text !== "").map(runReading);
}

function runReading(run: Run): Reading {
  if (run.atom) return run.atom;
  return ["text", markSet(run), run.text.replaceAll("\n", " ")];
}

/** A mark within the same mark says nothing more. */
function markSet(run: Run): string {
  return [...new Set(run.marks)].sort().join(" ");
}

/** A link as one of the marks of a run. */
export function linkMark(href: string, title: string | null): string {
  return `link(${JSON.stringify([href, title ?? null])})`;
}

/** The info string of a fence: white space between its words counts once. */
export function infoReading(info: string): string {
  return info.trim().replace(/\s+/g, " ");
}

/** An empty paragraph is written `&nbsp;`, which another reader sees as only that character: both are "empty". */
export function paragraphReading(runs: Reading[]): Reading {
  const only = runs.length === 1 ? runs[0] : undefined;
  return only?.[0] === "text" && only[2] === "\u00a0" ? ["paragraph", []] : ["paragraph", runs];
}
