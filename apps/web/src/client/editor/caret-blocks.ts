import type { Node, ResolvedPos } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { inputOf } from "./view-input.ts";

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
      apply: (transaction, known, old, state) => {
        const { mapping, doc, docChanged } = transaction;
        const pressed = transaction.getMeta(marks);
        if (typeof pressed === "number") return withMark(known, doc, pressed);
        return docChanged || !state.selection.eq(old.selection) ? marked(known.map(mapping, doc), state) : known;
      },
    },
    props: {
      decorations: (state) => marks.getState(state),
      handleDOMEvents: { keydown: tellBeforeKey, mousedown: layOutPressed },
    },
  });

/**
 * Tells the editor where the caret is: the browser tells of it with its next picture. Until then the editor's own keys would act where the
 * caret was, and a change of its state would take the caret back there.
 */
export function tellCaret(view: EditorView): void {
  if (view.hasFocus() && !view.composing) document.dispatchEvent(new Event("selectionchange"));
}

/** Tells of the caret before a key acts there: the browser finds no line in blocks that are not laid out. */
function tellBeforeKey(view: EditorView, { key, isComposing }: KeyboardEvent): void {
  if (isComposing) return;
  tellCaret(view);
  if (movingKeys.test(key)) acceptStart(view);
}

const movingKeys = /^(?:Arrow|Page|Home|End)/;

/** Lets a key lead to the start of the text: soon after a focus, ProseMirror takes a caret there for one that the browser has lost. */
function acceptStart(view: EditorView): void {
  const input = inputOf(view);
  if (input !== undefined) input.lastFocus = 0;
}

/** Lays out the block that is pressed, before the browser places the caret in it: it would place it before the text, or outside of it. */
function layOutPressed(view: EditorView, { target }: MouseEvent): void {
  const block = blockAround(view, target);
  if (block === null || block.hasAttribute("data-near-caret") || view.composing) return;
  tellCaret(view);
  // The editor may have drawn the block anew for it.
  if (!view.dom.contains(block)) return;
  const $inside = view.state.doc.resolve(view.posAtDOM(block, 0));
  if ($inside.depth > 0) view.dispatch(view.state.tr.setMeta(marks, $inside.before(1)));
}

/** Returns the outermost block around an element. */
function blockAround({ dom }: EditorView, target: EventTarget | null): Element | null {
  let element = target instanceof Element && dom.contains(target) ? target : null;
  while (element !== null && element.parentElement !== dom) element = element.parentElement;
  return element;
}

/** Adds the mark of a block at a position. */
function withMark(known: DecorationSet, doc: Node, start: number): DecorationSet {
  return known.add(doc, [Decoration.node(start, start + (doc.nodeAt(start)?.nodeSize ?? 0), nearCaret)]);
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
