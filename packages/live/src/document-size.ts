import type { Node } from "prosemirror-model";
import type { ChangedBlocks } from "./changed-blocks.ts";

/** Nodes of a document, and characters of its text: as bounds, and as a size. */
export interface DocumentLimits {
  readonly nodes: number;
  readonly characters: number;
}

/** Returns the size of blocks with everything in them. */
export function sizeOfBlocks(blocks: readonly Node[]): DocumentLimits {
  let nodes = 0;
  let characters = 0;
  for (const block of blocks) {
    nodes += 1;
    block.descendants((node) => {
      nodes += 1;
      characters += node.text?.length ?? 0;
    });
  }
  return { nodes, characters };
}

/** Returns the size of a document after a change of some of its blocks. */
export function sizeAfter(size: DocumentLimits, { before, after }: ChangedBlocks): DocumentLimits {
  const removed = sizeOfBlocks(before);
  const added = sizeOfBlocks(after);
  return {
    nodes: size.nodes - removed.nodes + added.nodes,
    characters: size.characters - removed.characters + added.characters,
  };
}

/** Returns whether a size is at most another one, in both. */
export const isWithin = (size: DocumentLimits, most: DocumentLimits): boolean =>
  size.nodes <= most.nodes && size.characters <= most.characters;
