import type { Node } from "prosemirror-model";
import { Selection, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { allowedAttributes } from "./attributes.ts";
import { textChange } from "./text-change.ts";

/** A node whose source stands in one of its attributes. */
export type SourceNode = {
  readonly view: EditorView;
  readonly position: () => number | undefined;
  readonly node: () => Node;
  readonly attribute: "source" | "latex";
  /** Shows the source as the document has it. */
  readonly show: () => void;
  /** Follows the focus, once it has left the field. */
  readonly close?: () => void;
};

/** Writes what is typed in a field into the document; keys at its ends lead out of it, and Escape does from everywhere. */
export function connectField(field: HTMLTextAreaElement, source: SourceNode): void {
  const { view, position, node, attribute, show, close } = source;
  const save = (): void => {
    const at = position();
    const { type, attrs } = node();
    const isAllowed = allowedAttributes(type.spec.attrs, { ...attrs, [attribute]: field.value }) !== false;
    // An empty field is only on its way to something else, and removes the node once it is left.
    field.setAttribute("aria-invalid", String(!isAllowed && field.value !== ""));
    if (at === undefined || field.value === attrs[attribute] || !isAllowed) return;
    if (view.editable) view.dispatch(view.state.tr.setNodeAttribute(at, attribute, field.value));
    else show();
  };
  field.addEventListener("focus", () => {
    field.readOnly = !view.editable;
  });
  field.addEventListener("input", save);
  // An input method is left alone by others here as in the text around the field.
  for (const type of ["compositionstart", "compositionend"] as const) {
    field.addEventListener(type, (event) =>
      view.someProp("handleDOMEvents", (handlers) => void handlers[type]?.(view, event)),
    );
  }
  field.addEventListener("blur", () => {
    // Another window has the focus, and gives it back.
    if (document.activeElement === field) return;
    const at = position();
    const isEmpty = field.value === "";
    // A source that the document cannot have stays in the field: it is nowhere else.
    if (field.getAttribute("aria-invalid") !== "true") close?.();
    if (at !== undefined && isEmpty && view.editable) view.dispatch(view.state.tr.delete(at, at + 1));
  });
  field.addEventListener("keydown", (event) => {
    const direction = directionOut(event, field, node().isInline);
    const at = position();
    if (direction === null || at === undefined) return;
    event.preventDefault();
    leave(view, direction < 0 ? at : at + 1, direction);
  });
}

/** Shows another text in a field. The caret stays where it is in the text around what differs. */
export function followText(field: HTMLTextAreaElement, text: string): void {
  const { value, selectionStart, selectionEnd } = field;
  if (value === text) return;
  const { start, inserted } = textChange(value, text);
  const moved = (at: number): number => {
    if (at <= start) return at;
    return Math.max(at + text.length - value.length, Math.min(at, start + inserted));
  };
  field.value = text;
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd));
}

/** Returns where a key leads out of the field: back, on, or nowhere. */
function directionOut(event: KeyboardEvent, field: HTMLTextAreaElement, isLine: boolean): -1 | 1 | null {
  const { key, ctrlKey, metaKey, isComposing } = event;
  const { value, selectionStart, selectionEnd } = field;
  if (isComposing) return null;
  if (key === "Escape" || (key === "Enter" && (isLine || ctrlKey || metaKey))) return 1;
  if (selectionStart !== selectionEnd) return null;
  const isBack =
    key === "ArrowUp" ? !value.slice(0, selectionStart).includes("\n") : key === "ArrowLeft" && selectionStart === 0;
  if (isBack) return -1;
  const isOn =
    key === "ArrowDown"
      ? !value.slice(selectionEnd).includes("\n")
      : key === "ArrowRight" && selectionEnd === value.length;
  return isOn ? 1 : null;
}

/** Goes on beside the node; at the end of the document in a new paragraph. */
function leave(view: EditorView, beside: number, direction: -1 | 1): void {
  const { tr, schema, doc } = view.state;
  const $beside = doc.resolve(beside);
  const selection = $beside.parent.inlineContent
    ? TextSelection.create(doc, beside)
    : Selection.findFrom($beside, direction, true);
  const { paragraph } = schema.nodes;
  if (selection !== null) tr.setSelection(selection);
  else if (paragraph !== undefined) {
    tr.insert(beside, paragraph.create());
    tr.setSelection(TextSelection.create(tr.doc, beside + 1));
  }
  view.dispatch(tr.scrollIntoView());
  view.focus();
}
