import { DOMSerializer, type Node } from "prosemirror-model";
import type { EditorView, NodeView } from "prosemirror-view";
import { isFoldable } from "./box-view.ts";

const containers = /^(?:blockquote|(?:bullet|ordered|task)List|table|callout|footnoteDefinition)$/;

/**
 * Returns whether a node decides the direction of everything in it, as on the page. What readers can fold is a part of the page, whose
 * blocks have directions of their own.
 */
const isContainer = (node: Node): boolean => containers.test(node.type.name) && !isFoldable(node);

/**
 * Shows a block of text. In a list, a quote or a table it has no direction of its own: browsers pass over text that has one, when they
 * look for the side of markers and columns.
 */
export function textBlockView(node: Node, view: EditorView, position: () => number | undefined): NodeView {
  const shown = DOMSerializer.renderSpec(document, node.type.spec.toDOM?.(node) ?? ["p", 0]);
  if (shown.dom instanceof Element && isContained(view.state.doc, position() ?? 0)) shown.dom.removeAttribute("dir");
  return shown;
}

/** The block of a document that was looked up last. The next look-up begins there, because blocks are shown in their order. */
let last: { readonly doc: Node | undefined; index: number; start: number } = { doc: undefined, index: 0, start: 0 };

/** Returns whether the block at a position is in one that decides its direction. */
function isContained(doc: Node, position: number): boolean {
  if (last.doc !== doc || last.start > position) last = { doc, index: 0, start: 0 };
  let block = doc.child(last.index);
  while (last.start + block.nodeSize <= position) {
    last.start += block.nodeSize;
    last.index += 1;
    block = doc.child(last.index);
  }
  if (block.isTextblock) return false;
  const $position = block.resolve(position - last.start - 1);
  for (let depth = $position.depth; depth >= 0; depth--) {
    if (isContainer($position.node(depth))) return true;
  }
  return false;
}
