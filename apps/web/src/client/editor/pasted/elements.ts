import type { Attrs } from "prosemirror-model";
import { exactly } from "../attributes.ts";

/** Returns the elements that match, as a list that does not change with the page. */
export const all = (root: Element, selector: string): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
];

/** Returns a new element of the same document. */
export const create = (beside: Node, tag: string): HTMLElement => (beside.ownerDocument ?? document).createElement(tag);

/** Moves what an element contains to the end of another one. */
export function moveContent(from: Element, to: Element): void {
  while (from.firstChild !== null) to.append(from.firstChild);
}

/** Puts what an element contains in its place. */
export function unwrap(element: Element): void {
  while (element.firstChild !== null) element.before(element.firstChild);
  element.remove();
}

/** Puts another element, with the same content, in the place of an element. */
export function rename(element: Element, tag: string): HTMLElement {
  const renamed = create(element, tag);
  moveContent(element, renamed);
  element.replaceWith(renamed);
  return renamed;
}

/** Puts an element around all that an element contains. */
export function wrapContent(element: Element, tag: string): HTMLElement {
  const wrapper = create(element, tag);
  moveContent(element, wrapper);
  element.append(wrapper);
  return wrapper;
}

/** Says which node of the schema an element is; its content stays. */
export function setNode(element: Element, name: string, attrs: Attrs = {}): void {
  for (const [attribute, value] of Object.entries(exactly(name, attrs))) element.setAttribute(attribute, value);
}

/** Makes an element a node of the schema whose content is in an element inside of it, as in the editor. */
export function setBox(element: Element, name: string, attrs: Attrs): void {
  wrapContent(element, "div").className = "content";
  setNode(element, name, attrs);
}

/** The text of an element without space around it. */
export const textOf = (element: Node): string => (element.textContent ?? "").trim();

/** Returns whether there is nothing to see in an element. */
export const isEmpty = (element: Element): boolean =>
  textOf(element) === "" && element.querySelector("img, hr, table, [data-node]") === null;

export const blocks =
  "address, article, aside, blockquote, details, div, dl, figure, h1, h2, h3, h4, h5, h6, hr, ol, p, pre, section, table, ul";

/** Returns what stands beside a node, past space. */
export function beside(node: Node, side: "previousSibling" | "nextSibling"): Node | null {
  let found = node[side];
  while (found?.nodeType === Node.TEXT_NODE && found.textContent?.trim() === "") found = found[side];
  return found;
}
