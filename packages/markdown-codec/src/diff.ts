import { compareLines, type Step } from "./diff/lines.ts";
import { serializeMarkdown } from "./serialize.ts";
import type { DocJSON } from "./types.ts";

const CONTEXT = 3;

/**
 * Returns the changes between two documents (or two texts of Markdown) as the hunks of a unified diff with three lines of
 * context. Empty where nothing changed. Takes time in proportion to the texts: where they differ in very many places,
 * whole blocks are replaced.
 *
 * @throws CodecError as `serializeMarkdown`
 */
export function diff(before: DocJSON | string, after: DocJSON | string): string {
  return hunks(compareLines(linesOf(before), linesOf(after))).join("\n");
}

function linesOf(source: DocJSON | string): string[] {
  const text = typeof source === "string" ? source : serializeMarkdown(source);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function hunks(steps: readonly Step[]): string[] {
  const out: string[] = [];
  let before = 1;
  let after = 1;
  let index = 0;
  while (index < steps.length) {
    let change = index;
    while (steps[change]?.sign === " ") change++;
    if (change >= steps.length) break;
    const start = Math.max(index, change - CONTEXT);
    before += start - index;
    after += start - index;
    const end = hunkEnd(steps, change);
    const part = steps.slice(start, end);
    const removed = part.filter((step) => step.sign !== "+").length;
    const added = part.filter((step) => step.sign !== "-").length;
    out.push(`@@ -${range(before, removed)} +${range(after, added)} @@`);
    for (const step of part) out.push(step.sign + step.text);
    before += removed;
    after += added;
    index = end;
  }
  return out;
}

// A hunk goes on while the next change is so near that the contexts touch.
function hunkEnd(steps: readonly Step[], firstChange: number): number {
  let last = firstChange;
  for (let index = firstChange; index < steps.length && index - last <= 2 * CONTEXT; index++) {
    if (steps[index]?.sign !== " ") last = index;
  }
  return Math.min(steps.length, last + 1 + CONTEXT);
}

// As in the unified format: an empty range is named by the line before it.
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
