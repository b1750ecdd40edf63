import type { Node } from "prosemirror-model";
import { Selection, TextSelection } from "prosemirror-state";
import type { EditorView, NodeView } from "prosemirror-view";
import { allowedAttributes } from "./attributes.ts";

type Position = () => number | undefined;

/** What no page shows: comments, front matter, definitions of links. */
const invisible: ReadonlySet<unknown> = new Set(["comment", "frontMatter", "linkDefinition"]);

/**
 * Shows source that the schema has no node for, or a formula, as itself, in a field in which it can be changed. It takes the room that it has for
 * readers; what they do not see is a small sign between the blocks until it has the focus.
 */
export function rawView(
  shown: Node,
  view: EditorView,
  position: Position,
  { label, attribute = "source" }: { readonly label: string; readonly attribute?: "source" | "latex" },
): NodeView {
  let node = shown;
  const kind = attribute === "source" ? "raw" : "math";
  const dom = document.createElement("pre");
  // It gives the field its size.
  const size = document.createElement("code");
  const field = document.createElement("textarea");
  size.setAttribute("aria-hidden", "true");
  field.setAttribute("aria-label", label);
  field.setAttribute("aria-invalid", "false");
  Object.assign(field, { spellcheck: false, dir: "auto", rows: 1 });
  dom.append(size, field);
  dom.contentEditable = "false";
  const show = (): void => {
    const source = String(node.attrs[attribute]);
    dom.className = invisible.has(node.attrs.kind) ? `${kind} unseen` : kind;
    size.textContent = `${source}\n`;
    if (field.value !== source) field.value = source;
  };
  const save = (): void => {
    const at = position();
    const isAllowed = allowedAttributes(node.type.spec.attrs, { ...node.attrs, [attribute]: field.value }) !== false;
    // An empty field is only on its way to something else, and removes the block once it is left.
    field.setAttribute("aria-invalid", String(!isAllowed && field.value !== ""));
    if (at === undefined || field.value === node.attrs[attribute] || !isAllowed) return;
    if (view.editable) view.dispatch(view.state.tr.setNodeAttribute(at, attribute, field.value));
    else show();
  };
  field.addEventListener("focus", () => {
    field.readOnly = !view.editable;
  });
  field.addEventListener("input", save);
  field.addEventListener("blur", () => {
    const at = position();
    if (at !== undefined && field.value === "" && view.editable) view.dispatch(view.state.tr.delete(at, at + 1));
  });
  field.addEventListener("keydown", (event) => {
    const direction = directionOut(event, field);
    const at = position();
    if (direction === null || at === undefined) return;
    event.preventDefault();
    leave(view, direction < 0 ? at : at + 1, direction);
  });
  show();
  return {
    dom,
    update: (next) => {
      if (next.type !== node.type) return false;
      node = next;
      show();
      return true;
    },
    selectNode: () => dom.classList.add("ProseMirror-selectednode"),
    deselectNode: () => dom.classList.remove("ProseMirror-selectednode"),
    stopEvent: ({ target }) => target === field,
    ignoreMutation: () => true,
  };
}

/** Returns where a key leads out of the field: back, on, or nowhere. */
function directionOut({ key }: KeyboardEvent, field: HTMLTextAreaElement): -1 | 1 | null {
  const { value, selectionStart, selectionEnd } = field;
  if (key === "Escape") return 1;
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

/** Goes on beside the block; at the end of the document in a new paragraph. */
function leave(view: EditorView, beside: number, direction: -1 | 1): void {
  const { tr, schema, doc } = view.state;
  const selection = Selection.findFrom(doc.resolve(beside), direction, true);
  const { paragraph } = schema.nodes;
  if (selection !== null) tr.setSelection(selection);
  else if (paragraph !== undefined) {
    tr.insert(beside, paragraph.create());
    tr.setSelection(TextSelection.create(tr.doc, beside + 1));
  }
  view.dispatch(tr.scrollIntoView());
  view.focus();
}
