/** A line of a difference. */
export type DiffLine = { readonly kind: "added" | "removed" | "same" | "gap"; readonly text: string };

/** Reads the hunks of a unified diff. The head of a hunk becomes a gap. */
export function diffLines(diff: string): DiffLine[] {
  if (diff === "") return [];
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      if (line.startsWith("@@")) return { kind: "gap", text: "⋯" };
      if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
      if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
      return { kind: "same", text: line.replace(/^ /, "") };
    });
}
