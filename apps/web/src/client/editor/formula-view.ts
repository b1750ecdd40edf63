import type { Node } from "prosemirror-model";
import { Plugin, PluginKey, type Transaction } from "prosemirror-state";
import type { EditorView, NodeView } from "prosemirror-view";
import { part } from "./part.ts";
import type { FormulaNames, ShownFormula } from "./shown-formula.ts";

const shownFormulas = part(() => import("./shown-formula.ts"));

/** Loads what shows formulas, for a document that has some: they take their room before anybody sees the text. */
export async function loadFormulas(doc: Node): Promise<void> {
  let hasFormula = false;
  doc.descendants(({ attrs }) => {
    hasFormula ||= "latex" in attrs;
    return !hasFormula;
  });
  if (hasFormula) await shownFormulas.load().catch(() => undefined);
}

/** Shows a formula, and its source as long as what shows formulas is not there. */
export function formulaView(
  first: Node,
  view: EditorView,
  position: () => number | undefined,
  names: FormulaNames,
): NodeView {
  let node = first;
  let shown: ShownFormula | undefined;
  const dom = document.createElement(node.isBlock ? "div" : "span");
  dom.className = "math";
  dom.contentEditable = "false";
  const show = ({ showFormula }: typeof import("./shown-formula.ts")): void => {
    shown = showFormula(dom, { view, position, node: () => node, attribute: "latex" }, names);
  };
  const update = (): void => {
    if (shown === undefined) dom.textContent = String(node.attrs.latex);
    else shown.update();
  };
  update();
  const endWait = shownFormulas.use(show);
  return {
    dom,
    update: (next) => {
      if (next.type !== node.type) return false;
      node = next;
      update();
      return true;
    },
    selectNode: () => dom.classList.add("ProseMirror-selectednode"),
    deselectNode: () => dom.classList.remove("ProseMirror-selectednode"),
    stopEvent: ({ target }) => target instanceof HTMLTextAreaElement,
    ignoreMutation: () => true,
    destroy: () => {
      endWait();
      shown?.end();
    },
  };
}

/** Opens the source of the formula that is selected, to be written, once what shows formulas is there. */
export const openFormula = (view: EditorView): void =>
  void shownFormulas.load().then(
    ({ openSource }) => openSource(view),
    () => undefined,
  );

const key = new PluginKey<boolean>("formula");

/** Marks a change after which the formula that it selects opens. Returns the change. */
export const openingFormula = (transaction: Transaction): Transaction => transaction.setMeta(key, true);

/** The caret opens the source of a formula when it comes to it by an arrow, and so does Enter where one is selected. */
export const openingFormulas = (): Plugin =>
  new Plugin<boolean>({
    key,
    state: { init: () => false, apply: (transaction) => transaction.getMeta(key) === true },
    props: { handleKeyDown: (view, event) => shownFormulas.current?.pressAtFormula(view, event) === true },
    view: () => ({
      update: (view, before) => {
        if (key.getState(view.state) === true) openFormula(view);
        else shownFormulas.current?.followCaret(view, before);
      },
    }),
  });
