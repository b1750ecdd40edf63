import { type Command, NodeSelection, TextSelection } from "prosemirror-state";

/**
 * Selects the cell of the selection. Where it is selected already, or has no text, and across cells, selects the table. Does nothing
 * for a selection that ends outside of the table.
 */
export const selectMore: Command = ({ doc, selection, tr }, dispatch) => {
  const { $from, $to, from, to } = selection;
  let depth = $from.depth;
  while (depth > 0 && $from.node(depth).type.name !== "table") depth -= 1;
  if (depth === 0 || to > $from.end(depth)) return false;
  const ofCell = depth + 2;
  const cell =
    $from.sharedDepth($to.pos) < ofCell
      ? selection
      : TextSelection.between(doc.resolve($from.start(ofCell)), doc.resolve($from.end(ofCell)));
  const isWhole = from <= cell.from && to >= cell.to;
  dispatch?.(tr.setSelection(isWhole ? NodeSelection.create(doc, $from.before(depth)) : cell));
  return true;
};
