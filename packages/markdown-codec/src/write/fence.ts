import { fenceAfter } from "../syntax/open-directives.ts";

/** The lines of a block of code, between fences longer than any inside. */
export function writeCode(text: string, info: string): readonly string[] {
  const language = info.replace(/[\\&]/g, "\\$&");
  const marker = language.includes("`") ? "~" : "`";
  const fence = marker.repeat(Math.max(3, longestFence(text, marker) + 1));
  const lines = text === "" ? [] : text.split("\n");
  return [fence + (language.startsWith(marker) ? " " : "") + language, ...lines, fence];
}

function longestFence(text: string, marker: string): number {
  if (!text.includes(marker.repeat(3))) return 0;
  const runs = text.match(marker === "`" ? /^[ \t]*`{3,}/gm : /^[ \t]*~{3,}/gm) ?? [];
  return runs.reduce((longest, run) => Math.max(longest, run.trimStart().length), 0);
}

/**
 * The colons that make three of them more than each run from the line `start` on, and four where code seems to be open at
 * the end. `indent`: the length of what stands before each line.
 */
export function colonsBeyond(lines: readonly string[], start: number, indent: number): string {
  let longest = 2;
  let fence = "";
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? "";
    fence = fenceAfter(fence, line.slice(indent).trimStart());
    for (const run of line.match(/:{3,}/g) ?? []) longest = Math.max(longest, run.length);
  }
  return ":".repeat(Math.max(longest - 2, fence === "" ? 0 : 1));
}
