import type { Node, ResolvedPos } from "prosemirror-model";
import { Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { nodeType } from "./commands.ts";
import { schema } from "./schema.ts";
import { placedUploads, withUploads } from "./upload-state.ts";

/** A file that the service has. */
export type SentFile = { readonly url: string; readonly name: string; readonly isPicture: boolean };

/**
 * Puts a file in its place: a picture in a paragraph of its own, any other file as a link. `later` are the ids of the files
 * that follow it. Returns whether the document has it.
 */
export function insertUpload(view: EditorView, id: string, file: SentFile, later: readonly string[]): boolean {
  const placed = placedUploads(view.state).find((each) => each.id === id);
  if (placed === undefined || !view.editable) return false;
  const { tr } = view.state;
  const { at, node, end } = fitted(tr.doc.resolve(placeForFile(tr.doc, placed.position)), nodeOf(file), file.isPicture);
  tr.insert(at, node);
  withUploads(tr, (all) =>
    all.filter((each) => each.id !== id).map((each) => (later.includes(each.id) ? { ...each, position: end } : each)),
  );
  view.dispatch(tr);
  return true;
}

/** Returns the place for a file that is nearest to a position: between the cells of a table there is none. */
export function placeForFile(doc: Node, position: number): number {
  const $position = doc.resolve(Math.min(position, doc.content.size));
  const { parent } = $position;
  const index = $position.index();
  if (parent.isTextblock || parent.canReplaceWith(index, index, nodeType("paragraph"))) return $position.pos;
  return Selection.near($position, -1).from;
}

function nodeOf({ url, name, isPicture }: SentFile): Node {
  if (isPicture) return nodeType("image").create({ src: url });
  const link = schema.marks.link?.create({ href: url });
  return schema.text(name, link === undefined ? [] : [link]);
}

/** The node to insert, its position, and the position behind it in its block. */
type Fitted = { readonly at: number; readonly node: Node; readonly end: number };

function fitted($position: ResolvedPos, node: Node, isPicture: boolean): Fitted {
  const { parent, pos } = $position;
  const isAllowed = parent.inlineContent && parent.type.spec.code !== true;
  const isFree = parent.type.name === "paragraph" && parent.content.size === 0;
  const isAlone = isPicture && !isFree && !isInCell($position);
  if (isAllowed && !isAlone) return { at: pos, node, end: pos + node.nodeSize };
  const at = parent.isTextblock ? $position.after() : pos;
  return { at, node: nodeType("paragraph").create(null, node), end: at + 1 + node.nodeSize };
}

/** A cell of a table has one paragraph. */
function isInCell($position: ResolvedPos): boolean {
  for (let depth = $position.depth; depth > 0; depth--) {
    if (/^table/.test($position.node(depth).type.name)) return true;
  }
  return false;
}
