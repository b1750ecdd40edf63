import type { Node } from "prosemirror-model";
import type { EditorView, NodeView } from "prosemirror-view";
import { giveBackFocus } from "./give-back-focus.ts";
import { part } from "./part.ts";

const fields = part(() => import("./source-field.ts"));

/** What no page shows: comments, front matter, definitions of links. */
const invisible: ReadonlySet<unknown> = new Set(["comment", "frontMatter", "linkDefinition"]);

/** The names of the source for assistive technology. */
export type SourceNames = { readonly source: string; readonly frontMatter: string };

/**
 * Shows source that the schema has no node for as itself, in a field in which it can be changed. It takes the room that it has for
 * readers. Source that they do not see is a small sign between the blocks until it has the focus: its first line, or the name of
 * front matter, whose first line tells nothing.
 */
export function rawView(
  shown: Node,
  view: EditorView,
  position: () => number | undefined,
  names: SourceNames,
): NodeView {
  let node = shown;
  const dom = document.createElement("pre");
  // It gives the field its size.
  const size = document.createElement("code");
  const field = document.createElement("textarea");
  size.setAttribute("aria-hidden", "true");
  field.setAttribute("aria-invalid", "false");
  Object.assign(field, { spellcheck: false, dir: "auto", rows: 1 });
  dom.append(size, field);
  dom.contentEditable = "false";
  const show = (): void => {
    const source = String(node.attrs.source);
    const { kind } = node.attrs;
    const isFrontMatter = kind === "frontMatter";
    dom.className = invisible.has(kind) ? "raw unseen" : "raw";
    if (isFrontMatter) dom.dataset.sign = names.frontMatter;
    else delete dom.dataset.sign;
    field.setAttribute("aria-label", isFrontMatter ? names.frontMatter : names.source);
    size.textContent = `${source}\n`;
    if (fields.current !== undefined) fields.current.followText(field, source);
    else field.value = source;
  };
  field.readOnly = true;
  const connect = ({ connectField }: typeof import("./source-field.ts")): void => {
    field.readOnly = !view.editable;
    connectField(field, { view, position, node: () => node, attribute: "source", show });
  };
  show();
  const endWait = fields.use(connect);
  return {
    dom,
    update: (next) => {
      if (next.type !== node.type) return false;
      // Only a mark around it changed, such as one near the caret: the field keeps what the document does not have.
      if (next === node) return true;
      node = next;
      show();
      return true;
    },
    selectNode: () => dom.classList.add("ProseMirror-selectednode"),
    deselectNode: () => dom.classList.remove("ProseMirror-selectednode"),
    stopEvent: ({ target }) => target === field,
    ignoreMutation: () => true,
    destroy: () => {
      endWait();
      giveBackFocus(view, field);
    },
  };
}
