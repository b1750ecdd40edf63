import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { BlockGroups } from "./block-groups.ts";
import { part } from "./part.ts";
import { inputOf } from "./view-input.ts";

/** A text of fewer blocks has no groups. */
const fewestGrouped = 128;
const grouping = part(() => import("./block-groups.ts"));
const groups = new WeakMap<EditorView, BlockGroups>();

/** Loads what draws blocks in groups, for a document that is long: added later, they would lay it out twice. */
export async function loadGroups({ childCount }: Node): Promise<void> {
  if (needsGroups(childCount)) await grouping.load().catch(() => undefined);
}

/** Returns the groups in which the blocks of a long text are drawn. */
export const groupsOf = (view: EditorView): BlockGroups | undefined => groups.get(view);

/**
 * Draws the blocks of a long text in groups, and lays out those around the caret and at the ends of the text without looking whether they
 * are in sight: the browser sees that of a new block with its next picture, and puts what is typed before it somewhere else.
 */
export const caretBlocks = (): Plugin =>
  new Plugin({
    view: (view) => {
      let shownAt: string | undefined;
      let endWait: (() => void) | undefined;
      /** Returns the groups of the text, from when it is long and what draws them is there. */
      const begin = (): BlockGroups | undefined => {
        const { current } = grouping;
        const hasGroups = current?.hasGroups(view.dom) === true;
        if (!hasGroups && (view.composing || !needsGroups(view.dom.childElementCount))) return undefined;
        if (current === undefined) {
          endWait ??= grouping.use(follow);
          return undefined;
        }
        const own = new current.BlockGroups(view.dom);
        groups.set(view, own);
        return own;
      };
      const follow = (): void => {
        const own = groups.get(view) ?? begin();
        if (own === undefined) return;
        const { $from, $to } = view.state.selection;
        const place = `${$from.index(0)} ${$to.index(0)}`;
        // A block that moved into another box could end a composition.
        const mayEven = !view.composing;
        const isSettled = own.settle(mayEven);
        const isEvened = mayEven && own.even();
        if (!isSettled && !isEvened && place === shownAt) return;
        shownAt = place;
        own.show([$from, $to].map((at) => view.nodeDOM(at.depth === 0 ? at.pos : at.before(1))));
      };
      follow();
      return {
        update: follow,
        destroy: () => {
          endWait?.();
          groups.get(view)?.end();
          groups.delete(view);
        },
      };
    },
    props: { handleDOMEvents: { keydown: tellBeforeKey, mousedown: layOutPressed } },
  });

/** Returns whether a text is to be drawn in groups: it is long, and writing was tested with them in the browser. */
const needsGroups = (blocks: number): boolean => blocks >= fewestGrouped && isTested();

/** Android's Chrome edits by itself, before the blocks that it makes have a group. */
const isTested = (): boolean =>
  /Chrome\/\d/.test(navigator.userAgent) &&
  !/Android/.test(navigator.userAgent) &&
  CSS.supports("content-visibility: auto");

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

/** Lays out the blocks that are pressed, before the browser places the caret: it would place it before the text, or outside of it. */
function layOutPressed(view: EditorView, { target, clientY }: MouseEvent): void {
  // A block that is laid out is the target itself.
  if (target === view.dom) groups.get(view)?.showAt(clientY);
}
