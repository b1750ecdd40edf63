import type { DocJSON, NodeJSON } from "../types.ts";
import { hasNoText } from "../write/list.ts";
import { stillNeeded, withFreeLabels } from "./footnotes.ts";
import { joinLists } from "./join.ts";
import { nodeAt, withChildren } from "./tree.ts";

/** Puts the blocks of a fragment in place of `count` children from `start` of the node at `path`. */
export function splice(
  doc: DocJSON,
  path: readonly number[],
  start: number,
  count: number,
  fragment: DocJSON,
): DocJSON {
  const siblings = nodeAt(doc, path)?.content ?? [];
  const blocks = withFreeLabels(fragment, doc);
  const removed = siblings.slice(start, start + count);
  const rest = withChildren(doc, path, [...siblings.slice(0, start), ...siblings.slice(start + count)]).content;
  const isBlank = hasNoText(blocks);
  const needed = stillNeeded(removed, [...rest, ...blocks]);
  return placeBlocks(doc, path, start, count, isBlank ? needed : [...blocks, ...needed]);
}

/** Puts blocks in place of others as they are, but for lists that join those beside them. */
export function placeBlocks(
  doc: DocJSON,
  path: readonly number[],
  start: number,
  count: number,
  blocks: NodeJSON[],
): DocJSON {
  const siblings = nodeAt(doc, path)?.content ?? [];
  // A footnote has its place at the top level only.
  const isTop = path.length === 0;
  const inserted = blocks.filter((node) => isTop || node.type !== "footnoteDefinition");
  const misplaced = blocks.filter((node) => !isTop && node.type === "footnoteDefinition");
  const joined = joinLists({
    before: siblings.slice(0, start),
    removed: siblings.slice(start, start + count),
    inserted,
    after: siblings.slice(start + count),
  });
  const edited = withChildren(doc, path, joined.blocks);
  const notes = [...joined.notes, ...misplaced];
  return notes.length === 0 ? edited : { ...edited, content: [...edited.content, ...notes] };
}
