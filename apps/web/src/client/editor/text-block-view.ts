import { DOMSerializer, type Node } from "prosemirror-model";
import type { EditorView, NodeView } from "prosemirror-view";

const containers = /List$|^(?:blockquote|table|callout|footnoteDefinition)$/;

/**
 * Shows a block of text. In a list, a quote or a table it has no direction of its own: browsers pass over text that has one, when they
 * look for the side of markers and columns.
 */
export function textBlockView(node: Node, view: EditorView, position: () => number | undefined): NodeView {
  const shown = DOMSerializer.renderSpec(document, node.type.spec.toDOM?.(node) ?? ["p", 0]);
  if (shown.dom instanceof Element && isContained(view.state.doc, position() ?? 0)) shown.dom.removeAttribute("dir");
  return shown;
}

// The block of a document that was looked up last. The next look-up begins there, because blocks are shown in their order.
let lastDoc: Node | undefined;
let index = 0;
let start = 0;

/** Returns whether the block at a position is in one that decides its direction. */
function isContained(doc: Node, position: number): boolean {
  if (lastDoc !== doc || start > position) index = start = 0;
  lastDoc = doc;
  let block = doc.child(index);
  while (start + block.nodeSize <= position) {
    start += block.nodeSize;
    block = doc.child(++index);
  }
  if (block.isTextblock) return false;
  const $position = block.resolve(position - start - 1);
  for (let depth = $position.depth; depth >= 0; depth--) {
    const { type, attrs } = $position.node(depth);
    // A foldable callout is a part of the page, whose blocks have directions of their own.
    if (containers.test(type.name) && typeof attrs.folded !== "boolean") return true;
  }
  return false;
}
