import type { Node, ResolvedPos } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";

const nearCaret = { "data-near-caret": "" };
/** The blocks on each side of the caret's that are marked. */
const reach = 10;
/** The marks that are kept: each key moves them all. */
const mostMarks = 200;

const marks = new PluginKey<DecorationSet>();

/**
 * Marks the blocks around the caret and those at the ends of the text, and keeps the marks of those around which it was. `editor.css` lays
 * them out without looking whether they are in sight: the browser sees that of a new block with its next picture, and puts what is typed
 * before it somewhere else.
 */
export const caretBlocks = (): Plugin =>
  new Plugin({
    key: marks,
    state: {
      init: (_config, state) => marked(DecorationSet.empty, state),
      apply: ({ mapping, doc, docChanged }, known, old, state) =>
        docChanged || !state.selection.eq(old.selection) ? marked(known.map(mapping, doc), state) : known,
    },
    props: {
      decorations: (state) => marks.getState(state),
      handleDOMEvents: { keydown: tellCaret },
    },
  });

/**
 * Tells the editor of a caret that has left its block, before an arrow key moves it on: the browser tells of it with its next picture,
 * and finds no line in blocks that are not laid out.
 */
function tellCaret(view: EditorView, { key, isComposing }: KeyboardEvent): void {
  if (!key.startsWith("Arrow") || isComposing || view.composing) return;
  const { focusNode } = document.getSelection() ?? {};
  const { $head } = view.state.selection;
  const block = $head.depth === 0 ? null : view.nodeDOM($head.before(1));
  if (focusNode == null || !view.dom.contains(focusNode) || block?.contains(focusNode) === true) return;
  document.dispatchEvent(new Event("selectionchange"));
}

/** Adds marks around both ends of the selection, and of the ends of the text. */
function marked(known: DecorationSet, { doc, selection: { $from, $to } }: EditorState): DecorationSet {
  const kept = known.find().length > mostMarks ? DecorationSet.empty : known;
  const blocks = new Map([...edgesOf(doc), ...blocksAround(doc, $from), ...blocksAround(doc, $to)]);
  const isNew = ([start, end]: [number, number]): boolean =>
    !kept.find(start, end).some(({ from, to }) => from === start && to === end);
  return kept.add(
    doc,
    [...blocks].filter(isNew).map(([start, end]) => Decoration.node(start, end, nearCaret)),
  );
}

/** Returns the start and the end of the first block and of the last: the keys that lead to them find no text in one that is not laid out. */
function edgesOf({ firstChild, lastChild, content: { size } }: Node): [start: number, end: number][] {
  if (firstChild === null || lastChild === null) return [];
  return [
    [0, firstChild.nodeSize],
    [size - lastChild.nodeSize, size],
  ];
}

/** Returns the start and the end of the blocks around the one in which a position is. It looks at no others. */
function blocksAround(doc: Node, $position: ResolvedPos): [start: number, end: number][] {
  const index = $position.index(0);
  const first = Math.max(0, index - reach);
  const before = doc.children.slice(first, index);
  const own = $position.depth === 0 ? $position.pos : $position.before(1);
  let start = own - before.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  return doc.children.slice(first, index + reach + 1).map(({ nodeSize }) => {
    const block: [number, number] = [start, start + nodeSize];
    start += nodeSize;
    return block;
  });
}
