import type { Node } from "prosemirror-model";
import { type EditorState, NodeSelection, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import type { EditorView, NodeView } from "prosemirror-view";
import { part } from "./part.ts";
import type { FormulaNames, ShownFormula, SourceEnd } from "./shown-formula.ts";

const shownFormulas = part(() => import("./shown-formula.ts"));

/** Loads what shows formulas, for a document that has some: they take their room before anybody sees the text. */
export async function loadFormulas(doc: Node): Promise<void> {
  let hasFormula = false;
  doc.descendants(({ type }) => {
    hasFormula ||= isFormula(type.name);
    return !hasFormula;
  });
  if (hasFormula) await shownFormulas.load().catch(() => undefined);
}

const isFormula = (name: string | undefined): boolean => name === "blockMath" || name === "inlineMath";

/** A formula of the page, which asks for its source by its element. */
const openers = new WeakMap<Element, (end?: SourceEnd) => void>();

/** Shows a formula, and its source as long as what shows formulas is not there. */
export function formulaView(
  first: Node,
  view: EditorView,
  position: () => number | undefined,
  names: FormulaNames,
): NodeView {
  let node = first;
  let shown: ShownFormula | undefined;
  let isAsked = false;
  const dom = document.createElement(node.isBlock ? "div" : "span");
  dom.className = "math";
  dom.contentEditable = "false";
  dom.textContent = String(node.attrs.latex);
  // Until the formula is shown, asking for its source is remembered.
  const open = (end?: SourceEnd): void => {
    if (!view.editable) return;
    isAsked = true;
    shown?.open(end);
  };
  const show = ({ showFormula }: typeof import("./shown-formula.ts")): void => {
    shown = showFormula(dom, { view, position, node: () => node, attribute: "latex" }, names);
    if (isAsked) shown.open();
  };
  dom.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement)) open();
  });
  openers.set(dom, open);
  if (shownFormulas.current !== undefined) show(shownFormulas.current);
  else shownFormulas.load().then(show, () => undefined);
  return {
    dom,
    update: (next) => {
      if (next.type !== node.type) return false;
      node = next;
      if (shown === undefined) dom.textContent = String(node.attrs.latex);
      else shown.update();
      return true;
    },
    selectNode: () => dom.classList.add("ProseMirror-selectednode"),
    deselectNode: () => dom.classList.remove("ProseMirror-selectednode"),
    stopEvent: ({ target }) => target instanceof HTMLTextAreaElement,
    ignoreMutation: () => true,
    destroy: () => {
      // Who writes in a formula that somebody else removes goes on in the text.
      if (dom.contains(document.activeElement)) queueMicrotask(() => view.isDestroyed || view.focus());
    },
  };
}

/** Opens the source of the formula that is selected; returns whether there is one that can be written. */
export function openFormula(view: EditorView, end?: SourceEnd): boolean {
  const { selection } = view.state;
  const open = isFormulaSelected(view.state) ? openers.get(elementAt(view, selection.from)) : undefined;
  if (open === undefined || !view.editable) return false;
  open(end);
  return true;
}

const isFormulaSelected = ({ selection }: EditorState): boolean =>
  selection instanceof NodeSelection && isFormula(selection.node.type.name);

function elementAt(view: EditorView, position: number): Element {
  const dom = view.nodeDOM(position);
  return dom instanceof Element ? dom : view.dom;
}

const key = new PluginKey<boolean>("formula");

/** Marks a change after which the formula that it selects opens. Returns the change. */
export const openingFormula = (transaction: Transaction): Transaction => transaction.setMeta(key, true);

/** The caret opens the source of a formula when it comes to it by an arrow, and so does Enter where one is selected. */
export function openingFormulas(): Plugin {
  let isArrow = false;
  const forgetArrow = (): void => {
    isArrow = false;
  };
  return new Plugin<boolean>({
    key,
    state: { init: () => false, apply: (transaction) => transaction.getMeta(key) === true },
    props: {
      handleKeyDown: (view, { key: pressed, ctrlKey, metaKey, altKey, shiftKey }) => {
        if (ctrlKey || metaKey || altKey || shiftKey) return false;
        if (pressed === "Enter") return openFormula(view);
        isArrow = pressed.startsWith("Arrow");
        // What the arrow does is done by then.
        if (isArrow) setTimeout(forgetArrow);
        return false;
      },
    },
    view: () => ({
      update: (view, { selection: before, doc }) => {
        const { selection } = view.state;
        if (key.getState(view.state) === true && !view.state.doc.eq(doc)) openFormula(view);
        else if (isArrow && isFormulaSelected(view.state) && !selection.eq(before)) {
          openFormula(view, before.head <= selection.from ? "start" : "end");
        }
      },
    }),
  });
}
