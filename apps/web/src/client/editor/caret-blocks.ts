import type { Node } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";

const nearCaret = { "data-near-caret": "" };
/** The blocks on each side of the caret's that are marked. */
const reach = 10;
/** The marks that are kept: each key moves them all. */
const mostMarks = 200;

const marks = new PluginKey<DecorationSet>();

/**
 * Marks the blocks around the caret, and keeps the marks of those around which it was. `editor.css` lays them out without looking whether
 * they are in sight: the browser sees that of a new block with its next picture, and puts what is typed before it somewhere else.
 */
export const caretBlocks = (): Plugin =>
  new Plugin({
    key: marks,
    state: {
      init: (_config, state) => marked(DecorationSet.empty, state),
      apply: ({ mapping, doc }, known, _old, state) => marked(known.map(mapping, doc), state),
    },
    props: { decorations: (state) => marks.getState(state) },
  });

/** Adds marks around both ends of the selection. */
function marked(known: DecorationSet, { doc, selection: { $from, $to } }: EditorState): DecorationSet {
  const kept = known.find().length > mostMarks ? DecorationSet.empty : known;
  const blocks = new Map([...blocksAround(doc, $from.index(0)), ...blocksAround(doc, $to.index(0))]);
  const isNew = ([start, end]: [number, number]): boolean =>
    !kept.find(start, end).some(({ from, to }) => from === start && to === end);
  return kept.add(
    doc,
    [...blocks].filter(isNew).map(([start, end]) => Decoration.node(start, end, nearCaret)),
  );
}

/** Returns the start and the end of the blocks around the one of an index. */
function blocksAround(doc: Node, index: number): [start: number, end: number][] {
  const first = Math.max(0, index - reach);
  let start = doc.children.slice(0, first).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  return doc.children.slice(first, index + reach + 1).map(({ nodeSize }) => {
    const block: [number, number] = [start, start + nodeSize];
    start += nodeSize;
    return block;
  });
}
