import { wrapIn } from "prosemirror-commands";
import type { Node } from "prosemirror-model";
import { type Command, type EditorState, TextSelection } from "prosemirror-state";
import { nodeType } from "./commands.ts";
import { isPlainBlock, isRoomFor } from "./insert-formula.ts";

/** Puts the selected blocks into a callout. */
export const insertCallout = (kind: string): Command => wrapIn(nodeType("callout"), { kind });

/** Puts the block into a part that readers unfold. The text of the block becomes what they see first; without text, `summary`. */
export function insertDetails(summary: string): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const { parent } = $from;
    const text = parent.textContent.trim();
    const details = nodeType("details").create({ summary: text || summary }, nodeType("paragraph").create());
    if (!isPlainBlock(state) || !isRoomFor(details, $from, "in its place")) return false;
    if (dispatch === undefined) return true;
    const { tr } = state;
    tr.replaceWith($from.before(), $from.after(), details);
    dispatch(tr.setSelection(TextSelection.create(tr.doc, $from.before() + 2)));
    return true;
  };
}

/** Inserts a reference to a new footnote, and the footnote at the end of the document, with the caret in it. */
export const insertFootnote: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const reference = nodeType("footnoteReference");
  const isRoom = $from.parent.inlineContent && $from.parent.contentMatchAt($from.index()).matchType(reference) !== null;
  if (!isRoom || isInFootnote(state)) return false;
  if (dispatch === undefined) return true;
  const label = nextLabel(state.doc);
  const { tr } = state;
  tr.replaceSelectionWith(reference.create({ label }), false);
  const end = tr.doc.content.size;
  const note = nodeType("footnoteDefinition").create({ label }, nodeType("paragraph").create());
  tr.insert(end, note);
  dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 2)));
  return true;
};

function isInFootnote({ selection: { $from } }: EditorState): boolean {
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name === "footnoteDefinition") return true;
  }
  return false;
}

/** Returns the first number that no footnote of a document has. */
function nextLabel(doc: Node): string {
  const labels = new Set<unknown>();
  doc.descendants(({ type, attrs }) => {
    if (type.name === "footnoteReference" || type.name === "footnoteDefinition") labels.add(attrs.label);
  });
  let number = 1;
  while (labels.has(String(number))) number += 1;
  return String(number);
}
