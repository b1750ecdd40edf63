import type { DocJSON, NodeJSON } from "../types.ts";
import { isEmptyParagraph } from "../write/list.ts";
import { stillNeeded, withFreeLabels } from "./footnotes.ts";
import { nodeAt, withChildren } from "./tree.ts";

const EMPTY_PARAGRAPH: NodeJSON = { type: "paragraph" };
const LISTS = new Set(["bulletList", "orderedList", "taskList"]);

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
  after: readonly NodeJSON[],
): boolean {
  const [next] = after;
  if (next === undefined || !LISTS.has(next.type)) return false;
  return marker([...before, ...removed], next) !== marker([...before, ...inserted], next);
}

// Which of the two markers the list has, as the writer chooses: the other one after a list of its kind, the same one
// between tasks and bullets.
function marker(before: readonly NodeJSON[], list: NodeJSON): boolean {
  let start = before.length;
  while (start > 0 && areNeighbours(before[start - 1], before[start] ?? list)) start--;
  let second = false;
  for (let index = start + 1; index <= before.length; index++) {
    if (before[index - 1]?.type === (before[index] ?? list).type) second = !second;
  }
  return second;
}

function areNeighbours(a: NodeJSON | undefined, b: NodeJSON): boolean {
  if (a === undefined || !LISTS.has(a.type) || !LISTS.has(b.type)) return false;
  return (a.type === "orderedList") === (b.type === "orderedList");
}
