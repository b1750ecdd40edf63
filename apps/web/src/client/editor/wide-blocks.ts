import { Plugin } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";

/** What wide blocks say by themselves: the caret scrolls them, so that the keyboard reaches their content without a tab stop. */
export const wide = { contenteditable: "true" };

/** Keeps wide blocks as editable as the text around them: a block that said otherwise would take letters that nobody saves. */
export const wideBlocks = (): Plugin =>
  new Plugin({
    view: (view) => {
      let wasEditable = true;
      const follow = ({ dom, editable }: EditorView): void => {
        if (editable && wasEditable) return;
        wasEditable = editable;
        for (const block of dom.querySelectorAll("pre[contenteditable], .table")) {
          block.setAttribute("contenteditable", String(editable));
        }
      };
      follow(view);
      return { update: follow };
    },
  });
