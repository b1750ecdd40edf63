import type { Node } from "prosemirror-model";

/** The outermost blocks of a document that another form of it lacks, before and after. */
export interface ChangedBlocks {
  readonly before: readonly Node[];
  readonly after: readonly Node[];
}

/** Returns the outermost blocks that are not the same object in both documents. The cost of those around them is a comparison. */
export function changedBlocks(before: Node, after: Node): ChangedBlocks {
  const one = before.children;
  const other = after.children;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const removed = one.slice(start, one.length - end);
  const added = other.slice(start, other.length - end);
  return { before: withoutThoseOf(removed, added), after: withoutThoseOf(added, removed) };
}

/** A block that only moved is in both. */
function withoutThoseOf(blocks: readonly Node[], others: readonly Node[]): readonly Node[] {
  const known = new Set(others);
  return blocks.filter((block) => !known.has(block));
}
