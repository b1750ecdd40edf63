import type { Node, ResolvedPos } from "prosemirror-model";
import { type Command, type EditorState, NodeSelection } from "prosemirror-state";
import { nodeType } from "./commands.ts";

/** Inserts a formula of its own, in the place of an empty block or below the block. */
export const insertFormula: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const formula = nodeType("blockMath").create({ latex: "x" });
  if (!isPlainBlock(state) || !isRoomFor(formula, $from, "below")) return false;
  if (dispatch === undefined) return true;
  const { tr } = state;
  const isReplaced = $from.parent.content.size === 0 && isRoomFor(formula, $from, "in its place");
  const at = isReplaced ? $from.before() : $from.after();
  tr.replaceWith(at, $from.after(), formula);
  if (tr.doc.resolve(at + 1).nodeAfter === null) tr.insert(at + 1, nodeType("paragraph").create());
  dispatch(tr.setSelection(NodeSelection.create(tr.doc, at)));
  return true;
};

/** Returns whether the caret is in a block of text that is no code. */
export const isPlainBlock = ({ selection: { $from } }: EditorState): boolean =>
  $from.depth > 0 && $from.parent.isTextblock && $from.parent.type.spec.code !== true;

/** Returns whether a node can stand in the place of the block or below it: the first block of a list item is its text. */
export function isRoomFor(node: Node, $from: ResolvedPos, place: "in its place" | "below"): boolean {
  const index = $from.index(-1);
  return $from.node(-1).canReplaceWith(place === "below" ? index + 1 : index, index + 1, node.type);
}
