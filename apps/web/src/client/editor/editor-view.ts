import type { EditorSession } from "@kb/live/session";
import { history } from "prosemirror-history";
import type { InputRule } from "prosemirror-inputrules";
import type { Node } from "prosemirror-model";
import type { Plugin } from "prosemirror-state";
import { EditorView, type NodeView } from "prosemirror-view";
import type { FaultWords } from "../reading/fault-words.ts";
import { directionOf } from "../reading/text-direction.ts";
import { boxView, unfolding } from "./box-view.ts";
import { caretBlocks, tellCaret } from "./caret-blocks.ts";
import { codeKeys, codeView } from "./code-view.ts";
import { composing } from "./composing.ts";
import { copying } from "./copying.ts";
import { footnoteKeys } from "./footnote-keys.ts";
import { formulaView, openingFormulas } from "./formula-view.ts";
import { loadingTables } from "./in-table.ts";
import { markdownRules } from "./input-rules.ts";
import { editorKeys, type KeyActions } from "./keys.ts";
import { pasting } from "./paste.ts";
import { rawView } from "./raw-view.ts";
import { suggesting } from "./suggesting.ts";
import type { SuggestionActions } from "./suggestion-state.ts";
import { textBlockView } from "./text-block-view.ts";
import { trackingPlaces } from "./tracked-places.ts";
import { uploading } from "./uploads.ts";
import { viewUpdates } from "./view-updates.ts";
import { wideBlocks } from "./wide-blocks.ts";

/** What the page does for the editor. */
export type EditorActions = KeyActions &
  SuggestionActions & {
    /** Says that pasted Markdown could not be read, and stands in the text as it is. */
    readonly sayUnread: () => void;
  };

/** Returns the plugins of the editor: all of them at once, because adding one later renders the document again. */
export function editorPlugins(actions: EditorActions, rules: readonly InputRule[]): Plugin[] {
  const { sayMissing } = actions;
  return [
    markdownRules(rules),
    suggesting(actions),
    uploading(actions),
    openingFormulas(),
    codeKeys(),
    footnoteKeys(),
    // Before the other keys: Mod-a selects a cell first.
    loadingTables(sayMissing),
    ...editorKeys(actions),
    pasting(actions),
    copying(),
    history(),
    unfolding(),
    wideBlocks(),
    caretBlocks(),
    trackingPlaces(),
    viewUpdates(),
  ];
}

/** The names of the editor for assistive technology. */
export type EditorNames = {
  readonly label: string;
  readonly help: string;
  readonly task: string;
  readonly source: string;
  readonly frontMatter: string;
  readonly formula: string;
  /** The reasons why a formula is not shown, in the reader's language; without them in English. */
  readonly formulaFaults: FaultWords;
};

/** The part of a session that a view needs. */
export type ShownSession = Pick<
  EditorSession,
  "state" | "canWrite" | "dispatch" | "takeWaiting" | "on" | "hold" | "release"
>;

/** Shows the document of a session in an element, to be written. Returns the view, and a function that ends it. */
export function showSession(
  place: HTMLElement,
  session: ShownSession,
  names: EditorNames,
): { readonly view: EditorView; readonly end: () => void } {
  const attach = detach(place);
  const view: EditorView = new EditorView(
    { mount: place },
    {
      state: session.state,
      editable: () => session.canWrite,
      dispatchTransaction: (transaction) => {
        // In the picture that shows the change, and before what is drawn over the text: each picture costs as much as the key.
        if (transaction.docChanged) requestAnimationFrame(session.takeWaiting);
        session.dispatch(transaction);
      },
      attributes: ({ doc }) => ({
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": names.label,
        "aria-description": names.help,
        spellcheck: "true",
        class: "prose editor",
        ...directionAttribute(doc),
      }),
      nodeViews: {
        paragraph: textBlockView,
        heading: textBlockView,
        codeBlock: codeView,
        taskItem: (node, own, position) => taskView(node, own, position, names.task),
        rawBlock: (node, own, position) => rawView(node, own, position, names),
        blockMath: (node, own, position) => formulaView(node, own, position, names),
        inlineMath: (node, own, position) => formulaView(node, own, position, names),
        callout: (node) => boxView(node),
        details: (node) => boxView(node),
      },
      handleDOMEvents: composing(session),
    },
  );
  attach();
  const endArrival = session.on("arrival", () => tellCaret(view));
  const endState = session.on("state", () => view.updateState(session.state));
  return {
    view,
    end: () => {
      endArrival();
      endState();
      view.destroy();
    },
  };
}

/**
 * Takes an element out of the page; returns what puts it back. In a page, each of thousands of blocks that come one after another makes
 * the browser look at those before it.
 */
function detach(element: HTMLElement): () => void {
  const { parentNode, nextSibling } = element;
  const hadFocus = document.activeElement === element;
  element.remove();
  return () => {
    parentNode?.insertBefore(element, nextSibling);
    if (hadFocus) element.focus({ preventScroll: true });
  };
}

/** The direction of the text as a whole: that of its first letter. See `directionOfHtml` for why it is not `auto`. */
function directionAttribute(doc: Node): { readonly dir?: string } {
  for (const block of doc.children) {
    const dir = directionOf(block.textContent);
    if (dir !== undefined) return { dir };
  }
  return {};
}

/** A task with a box that can be ticked; ProseMirror shows its text. */
function taskView(node: Node, view: EditorView, position: () => number | undefined, label: string): NodeView {
  const dom = document.createElement("li");
  const box = document.createElement("input");
  const contentDOM = document.createElement("div");
  contentDOM.className = "content";
  box.type = "checkbox";
  box.contentEditable = "false";
  box.setAttribute("aria-label", label);
  const show = ({ attrs }: Node): void => {
    box.checked = attrs.checked === true;
  };
  box.addEventListener("change", () => {
    const at = position();
    if (at !== undefined && view.editable) view.dispatch(view.state.tr.setNodeAttribute(at, "checked", box.checked));
    else box.checked = !box.checked;
  });
  show(node);
  dom.append(box, contentDOM);
  return {
    dom,
    contentDOM,
    update: (next) => {
      if (next.type !== node.type) return false;
      show(next);
      return true;
    },
    stopEvent: ({ target }) => target === box,
    ignoreMutation: (mutation) => mutation.target === box,
  };
}
