import { CodecError } from "../error.ts";
import { outline } from "../outline.ts";
import type { DocJSON } from "../types.ts";
import { nodeAt } from "./tree.ts";

/** Where a section lies among its siblings: the heading itself, and the end of its content (exclusive). */
export interface Section {
  readonly parent: readonly number[];
  readonly heading: number;
  readonly end: number;
}

const folded = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/** The section of the first heading with this text, whatever the case and the spaces around. Throws HEADING_NOT_FOUND. */
export function findSection(doc: DocJSON, heading: string): Section {
  const entry = outline(doc).find((candidate) => folded(candidate.text) === folded(heading));
  if (entry === undefined) throw new CodecError("HEADING_NOT_FOUND", `There is no heading "${heading}".`);
  const parent = entry.path.slice(0, -1);
  const index = entry.path.at(-1) ?? 0;
  const siblings = nodeAt(doc, parent)?.content ?? [];
  const next = siblings.findIndex(
    (node, at) => at > index && node.type === "heading" && Number(node.attrs?.level ?? 1) <= entry.level,
  );
  return { parent, heading: index, end: next === -1 ? siblings.length : next };
}
