import type { DocJSON, NodeJSON } from "../types.ts";
import { areOneFamily, isEmptyParagraph } from "../write/list.ts";
import { stillNeeded, withFreeLabels } from "./footnotes.ts";
import { nodeAt, withChildren } from "./tree.ts";

const EMPTY_PARAGRAPH: NodeJSON = { type: "paragraph" };

/** Puts the blocks of a fragment in place of `count` children from `start` of the node at `path`. */
export function splice(
  doc: DocJSON,
  path: readonly number[],
  start: number,
  count: number,
  fragment: DocJSON,
): DocJSON {
  const siblings = nodeAt(doc, path)?.content ?? [];
  const before = siblings.slice(0, start);
  const after = siblings.slice(start + count);
  const removed = siblings.slice(start, start + count);
  const blocks = withFreeLabels(fragment, doc).filter((node, _, all) => all.length > 1 || !isEmptyParagraph(node));
  const isTop = path.length === 0;
  const flow = blocks.filter((node) => isTop || node.type !== "footnoteDefinition");
  const notes = blocks.filter((node) => !isTop && node.type === "footnoteDefinition");
  const rest = withChildren(doc, path, [...before, ...after]).content;
  const inserted = [...flow, ...stillNeeded(removed, rest)];
  const gap = needsGap(before, removed, inserted, after) ? [EMPTY_PARAGRAPH] : [];
  const edited = withChildren(doc, path, [...before, ...inserted, ...gap, ...after]);
  // A footnote has its place at the top level only.
  return notes.length === 0 ? edited : { ...edited, content: [...edited.content, ...notes] };
}

// Neighbouring lists are kept apart by their markers in turn. Where a new list before an old one would change the old
// one's markers, an empty paragraph comes between: what the edit does not touch stays as it is, to the byte.
function needsGap(
  before: readonly NodeJSON[],
  removed: readonly NodeJSON[],
  inserted: readonly NodeJSON[],
  [next]: readonly NodeJSON[],
): boolean {
  if (next === undefined) return false;
  return hasOtherMarker([...before, ...removed], next) !== hasOtherMarker([...before, ...inserted], next);
}

// True where the list comes second, fourth… in a row of lists of its family.
function hasOtherMarker(before: readonly NodeJSON[], list: NodeJSON): boolean {
  let row = 0;
  while (areOneFamily(before.at(-1 - row), list)) row++;
  return row % 2 === 1;
}
