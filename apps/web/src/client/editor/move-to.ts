import { closeHistory } from "prosemirror-history";
import type { Node, ResolvedPos } from "prosemirror-model";
import { type EditorState, Selection, TextSelection, type Transaction } from "prosemirror-state";

/** Where a block or an item of a list begins and ends. */
export type MovedBlock = { readonly from: number; readonly to: number };

/** Returns whether a node is an item of a list. */
export const isItem = (node: Node | null): node is Node =>
  node !== null && /^(?:listItem|taskItem)$/.test(node.type.name);

/** Returns where the block at a position begins: the item of a list around it, else the outermost block; null without one. */
export function startOfBlock($at: ResolvedPos): number | null {
  if (isItem($at.nodeAfter)) return $at.pos;
  for (let depth = $at.depth; depth > 0; depth--) {
    if (isItem($at.node(depth))) return $at.before(depth);
  }
  if ($at.depth > 0) return $at.before(1);
  return $at.nodeAfter === null ? null : $at.pos;
}

/** Returns where the outermost block at a position begins; null without one. */
export function startOfOutermost($at: ResolvedPos): number | null {
  if ($at.depth > 0) return $at.before(1);
  return $at.nodeAfter === null ? null : $at.pos;
}

/** Returns whether a block may stand in a gap: an outermost block between others, an item between items of its kind. */
export function fitsInGap(block: Node, $gap: ResolvedPos): boolean {
  if (isItem(block) && $gap.depth > 0) {
    return $gap.parent.canReplaceWith($gap.index(), $gap.index(), block.type);
  }
  return $gap.depth === 0;
}

/**
 * Returns the change that moves a block into a gap, as it is now: what others have written in it meanwhile moves along. An item that
 * leaves its list for the outermost blocks gets a list of its own. Returns null where nothing would move, or the block is no more.
 */
export function moveTo({ doc, tr, selection }: EditorState, { from, to }: MovedBlock, gap: number): Transaction | null {
  const block = doc.nodeAt(from);
  if (block === null || from + block.nodeSize !== to || (gap >= from && gap <= to)) return null;
  const $gap = doc.resolve(gap);
  const { parent: list, depth } = doc.resolve(from);
  if (!fitsInGap(block, $gap)) return null;
  const isOwnList = isItem(block) && $gap.depth === 0;
  if (isOwnList && list.childCount === 1 && depth === 1 && isBeside(doc.resolve(from), gap)) return null;
  tr.insert(gap, isOwnList ? list.type.create(list.attrs, block) : block);
  const start = gap + (isOwnList ? 1 : 0);
  // Without its last item, a list goes too.
  tr.deleteRange(tr.mapping.map(from, 1), tr.mapping.map(to, -1));
  const moved = tr.mapping.slice(1).map(start, -1);
  return closeHistory(tr.setSelection(selectionIn(tr.doc, selection, { from, to }, moved)));
}

const isBeside = ($item: ResolvedPos, gap: number): boolean => gap === $item.before() || gap === $item.after();

/** The caret moves along with the text that it is in; otherwise it is at the beginning of what was moved. */
function selectionIn(doc: Node, selection: Selection, { from, to }: MovedBlock, moved: number): Selection {
  const isInside = selection instanceof TextSelection && selection.from > from && selection.to < to;
  if (!isInside) return Selection.near(doc.resolve(moved + 1));
  const by = moved - from;
  return TextSelection.create(doc, selection.anchor + by, selection.head + by);
}
