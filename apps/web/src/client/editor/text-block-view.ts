import { DOMSerializer, type Node } from "prosemirror-model";
import type { EditorView, NodeView } from "prosemirror-view";
import { isFoldable } from "./box-view.ts";

/** The blocks of text that follow the direction of their first letter, or that of what they are in. */
export const textBlocks = ["paragraph", "heading", "codeBlock"] as const;

const containers: ReadonlySet<string> = new Set([
  "blockquote",
  "bulletList",
  "orderedList",
  "taskList",
  "table",
  "callout",
  "footnoteDefinition",
]);

/**
 * Returns whether a node decides the direction of everything in it, as on the page. What readers can fold is a part of the page, whose
 * blocks have directions of their own.
 */
const isContainer = (node: Node): boolean => containers.has(node.type.name) && !isFoldable(node);

/**
 * Shows a block of text. In a list, a quote or a table it has no direction of its own: browsers pass over text that has one, when they
 * look for the side of markers and columns.
 */
export function textBlockView(node: Node, view: EditorView, position: () => number | undefined): NodeView {
  const { toDOM } = node.type.spec;
  if (toDOM === undefined) throw new TypeError(`${node.type.name} has no elements`);
  const shown = DOMSerializer.renderSpec(document, toDOM(node));
  if (shown.dom instanceof Element && isContained(view.state.doc, position() ?? 0)) shown.dom.removeAttribute("dir");
  return shown;
}

/** Returns whether the block at a position is in one that decides its direction. */
function isContained(doc: Node, position: number): boolean {
  const starts = startsOf(doc);
  const index = lastUpTo(starts, position);
  const start = starts[index] ?? 0;
  if (start === position) return false;
  const block = doc.child(index);
  if (isContainer(block)) return true;
  const $position = block.resolve(position - start - 1);
  for (let depth = $position.depth; depth > 0; depth--) {
    if (isContainer($position.node(depth))) return true;
  }
  return false;
}

const knownStarts = new WeakMap<Node, readonly number[]>();

/** Returns where the blocks of a document begin, in their order. To go through all blocks for each that is shown would take too long. */
function startsOf(doc: Node): readonly number[] {
  const known = knownStarts.get(doc);
  if (known !== undefined) return known;
  const starts: number[] = [];
  doc.forEach((_block, start) => {
    starts.push(start);
  });
  knownStarts.set(doc, starts);
  return starts;
}

/** Returns the index of the last of sorted numbers that is at most `most`. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
