import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { EditorView, NodeView } from "prosemirror-view";
import type { ColoredCode } from "./code-colors.ts";
import { part } from "./part.ts";
import { textBlockView } from "./text-block-view.ts";

const code = part(() => import("./code-part.ts"));

/** Shows a block of code. Its colors come once what knows them is loaded, with the first block. */
export function codeView(first: Node, view: EditorView, position: () => number | undefined): NodeView {
  let node = first;
  let colored: ColoredCode | undefined;
  const shown = textBlockView(node, view, position);
  const endWait = code.use(({ colorCode }) => {
    colored = colorCode(view, shown.contentDOM, () => node);
  });
  return {
    ...shown,
    update: (next) => {
      if (!next.sameMarkup(node)) return false;
      if (next === node) return true;
      node = next;
      colored?.follow();
      return true;
    },
    destroy: () => {
      endWait();
      colored?.end();
    },
  };
}

/** The keys that do something else in code than elsewhere. */
export const codeKeys = (): Plugin =>
  new Plugin({ props: { handleKeyDown: (view, event) => code.current?.pressInCode(view, event) === true } });
