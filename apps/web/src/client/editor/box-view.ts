import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { NodeView } from "prosemirror-view";
import { calloutKinds } from "../../messages/callout-kinds.ts";
import { isLocale } from "../../messages/index.ts";

/** Shows a callout or details. What readers can fold is as they see it first, and opens where the caret is. */
export function boxView(shown: Node): NodeView {
  let node = shown;
  const dom = document.createElement(isFoldable(node) ? "details" : "div");
  const head = document.createElement(isFoldable(node) ? "summary" : "p");
  const contentDOM = document.createElement("div");
  contentDOM.className = "content";
  head.contentEditable = "false";
  // As on the page, where what can be folded follows what is around it.
  if (!isFoldable(node)) dom.dir = "auto";
  // Without one, the browser shows its own word.
  if (headOf(node) !== "") dom.append(head);
  dom.append(contentDOM);
  const show = ({ attrs }: Node): void => {
    dom.className = typeof attrs.kind === "string" ? `callout callout-${attrs.kind}` : "";
    // As on the page: the text of a callout decides its direction, not the word for its kind.
    const words = isNamedByKind(node) ? document.createElement("bdi") : head;
    words.textContent = headOf(node);
    if (words !== head) head.replaceChildren(words);
  };
  if (dom instanceof HTMLDetailsElement) dom.open = node.attrs.open === true || node.attrs.folded === false;
  show(node);
  return {
    dom,
    contentDOM,
    update: (next) => {
      const isAlike = isFoldable(next) === isFoldable(node) && (headOf(next) === "") === (headOf(node) === "");
      if (next.type === node.type && !isAlike) fitDirections([...contentDOM.querySelectorAll(textBlocks)]);
      if (next.type !== node.type || !isAlike) return false;
      node = next;
      show(node);
      return true;
    },
    stopEvent: ({ target }) => target instanceof Element && head.contains(target),
    ignoreMutation: (mutation) => mutation.type !== "selection" && !contentDOM.contains(mutation.target),
  };
}

const textBlocks = "p:not([contenteditable]), h1, h2, h3, h4, h5, h6, pre:not([class])";
/** The elements of what decides the direction of the text in it, as `textBlockView` has it. */
const containers = "ul, ol, blockquote, table, div.callout, .footnote";

/** ProseMirror moves the blocks of a box that it shows again: those of a callout that becomes foldable get directions of their own. */
function fitDirections(blocks: readonly Element[]): void {
  queueMicrotask(() => {
    for (const block of blocks) {
      if (block.parentElement?.closest(containers) == null) block.setAttribute("dir", "auto");
      else block.removeAttribute("dir");
    }
  });
}

function headOf(node: Node): string {
  const { title, summary, kind } = node.attrs;
  if (isNamedByKind(node)) return kindInWords(String(kind));
  return String(title || summary || "");
}

/** Returns whether a callout has no title, and shows its kind. */
const isNamedByKind = ({ attrs: { title, summary, kind } }: Node): boolean => !title && !summary && Boolean(kind);

/** Returns a kind in the language of the page; as it is where that has no word for it. */
function kindInWords(kind: string): string {
  const { lang } = document.documentElement;
  return (isLocale(lang) ? calloutKinds[lang]?.get(kind) : undefined) ?? kind;
}

/** Returns whether readers can fold a node: details, and callouts that say so. */
const isFoldable = ({ type, attrs }: Node): boolean =>
  type.name === "details" || (type.name === "callout" && typeof attrs.folded === "boolean");

/** Opens what is folded around the caret, once it comes there or the text changes: not where something is only drawn in another way. */
export const unfolding = (): Plugin =>
  new Plugin({
    view: () => ({
      update: (view, before) => {
        const { state } = view;
        if (state.doc === before.doc && state.selection.eq(before.selection)) return;
        const { $from } = state.selection;
        for (let depth = $from.depth; depth > 0; depth--) {
          if (!isFoldable($from.node(depth))) continue;
          const dom = view.nodeDOM($from.before(depth));
          if (dom instanceof HTMLDetailsElement) dom.open = true;
        }
      },
    }),
  });
