import { formulasOfPage } from "@kb/formulas";
import type { MathNode, MathReader } from "markdown-codec/html";
import { type EditorState, NodeSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { type FaultWords, faultInWords } from "../reading/fault-words.ts";
import { giveBackFocus } from "./give-back-focus.ts";
import { connectField, followText, type SourceNode } from "./source-field.ts";

const mathMl = "http://www.w3.org/1998/Math/MathML";

/** The end of the source at which the caret comes to it. */
type SourceEnd = "start" | "end";

/** The name of formulas for assistive technology, and the reasons of faults in the reader's language. */
export type FormulaNames = { readonly formula: string; readonly formulaFaults: FaultWords };

/** A formula that is shown: `update` follows the document. */
export type ShownFormula = { readonly update: () => void; readonly end: () => void };

/** Those that open the sources of formulas, by the elements of the formulas. */
const openers = new WeakMap<Node, (end?: SourceEnd) => void>();

let round: MathReader | undefined;

/** Reads a formula. Those that are shown at once, such as all of a document, cost no more than those of one page. */
const readNow: MathReader = (latex, display) => {
  if (round === undefined) {
    round = formulasOfPage();
    setTimeout(() => {
      round = undefined;
    });
  }
  return round(latex, display);
};

/** Shows a formula as readers see it, and its source in a field while somebody writes it. */
export function showFormula(dom: HTMLElement, source: Omit<SourceNode, "show">, names: FormulaNames): ShownFormula {
  const { node, view } = source;
  const { isBlock } = node();
  const shown = document.createElement(isBlock ? "div" : "span");
  const field = document.createElement("textarea");
  shown.setAttribute("role", "img");
  field.setAttribute("aria-label", names.formula);
  field.setAttribute("aria-invalid", "false");
  Object.assign(field, { spellcheck: false, dir: "ltr", rows: 1, hidden: true });
  let before: string | undefined;
  const update = (): void => {
    const latex = String(node().attrs.latex);
    if (latex === before) return;
    before = latex;
    followText(field, latex);
    const found = readNow(latex, isBlock);
    if ("fault" in found) {
      const reason = faultInWords(found.fault, found.code, found.values ?? {}, names.formulaFaults);
      shown.setAttribute("aria-label", `${names.formula}: ${latex} (${reason})`);
      shown.replaceChildren(...faultParts(latex, reason, isBlock));
    } else {
      shown.setAttribute("aria-label", `${names.formula}: ${latex}`);
      shown.replaceChildren(elementOf(found));
    }
  };
  const show = (): void => {
    field.value = String(node().attrs.latex);
    field.setAttribute("aria-invalid", "false");
  };
  const close = (): void => {
    field.hidden = true;
    shown.hidden = false;
    show();
  };
  connectField(field, { ...source, show, close });
  const open = openerOf(field, shown, isBlock);
  openers.set(dom, open);
  shown.addEventListener("click", () => {
    if (view.editable) open();
  });
  dom.replaceChildren(shown, field);
  update();
  return { update, end: () => giveBackFocus(view, field) };
}

/** Returns what shows the source of a formula, with the caret at an end of it. */
function openerOf(field: HTMLTextAreaElement, shown: HTMLElement, isBlock: boolean): (end?: SourceEnd) => void {
  return (end) => {
    field.hidden = false;
    // A block shows what is made of it while it is written.
    shown.hidden = !isBlock;
    field.focus();
    const at = end === "start" ? 0 : field.value.length;
    // A new formula is an example, which what is typed replaces.
    field.setSelectionRange(end === undefined && field.value === "x" ? 0 : at, at);
  };
}

/** Opens the source of the formula that is selected; returns whether there is one that can be written. */
export function openSource(view: EditorView, end?: SourceEnd): boolean {
  if (view.isDestroyed || !view.editable || !isFormulaSelected(view.state)) return false;
  const dom = view.nodeDOM(view.state.selection.from);
  const open = dom === null ? undefined : openers.get(dom);
  open?.(end);
  return open !== undefined;
}

const isFormulaSelected = ({ selection }: EditorState): boolean =>
  selection instanceof NodeSelection && "latex" in selection.node.attrs;

let isArrow = false;

/** Opens the formula that is selected by Enter, and remembers an arrow until what it does is done. */
export function pressAtFormula(view: EditorView, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (ctrlKey || metaKey || altKey || shiftKey) return false;
  if (key === "Enter") return openSource(view);
  isArrow = key.startsWith("Arrow");
  if (isArrow) {
    setTimeout(() => {
      isArrow = false;
    });
  }
  return false;
}

/** Opens the formula to which an arrow has brought the caret, at the end from which it came. */
export function followCaret(view: EditorView, { selection: before }: EditorState): void {
  const { selection } = view.state;
  if (!isArrow || !isFormulaSelected(view.state) || selection.eq(before)) return;
  openSource(view, before.head <= selection.from ? "start" : "end");
}

function elementOf({ name, attributes, children }: MathNode): Element {
  const element = document.createElementNS(mathMl, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children.map((child) => (typeof child === "string" ? child : elementOf(child))));
  return element;
}

/** The source with the reason, as the page of a document shows both. */
function faultParts(latex: string, fault: string, isBlock: boolean): (Element | string)[] {
  const code = document.createElement("code");
  const reason = document.createElement("small");
  code.className = "math";
  reason.className = "math-fault";
  reason.dir = "auto";
  code.textContent = isBlock ? `${latex}\n` : latex;
  reason.textContent = isBlock ? fault : `(${fault})`;
  if (!isBlock) return [code, " ", reason];
  const block = document.createElement("pre");
  block.append(code);
  return [block, reason];
}
