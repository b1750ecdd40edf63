import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parse,
  parseFragment,
} from "parse5";
import { type Explained, explain } from "../explain.ts";

export type Element = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** HTML that would take too long to read, and why. */
export class HtmlLimitError extends Error {
  override readonly name = "HtmlLimitError";
  readonly why: Explained;

  constructor(why: Explained) {
    super(why.text);
    this.why = why;
  }
}

// Browsers stop at 512 levels. Without limits, unclosed tags take a time and a memory that grow with their square.
const maxDepth = 512;
const maxElements = 500_000;

/** Parses a page as browsers do. @throws {HtmlLimitError} */
export const parsePage = (source: string): HtmlParent => parse(source, { treeAdapter: boundedAdapter() });

/** Parses a part of a page. @throws {HtmlLimitError} */
export const parsePart = (source: string): HtmlParent => parseFragment(source, { treeAdapter: boundedAdapter() });

function boundedAdapter(): typeof defaultTreeAdapter {
  let elements = 0;
  let depth = 0;
  const createElement: typeof defaultTreeAdapter.createElement = (tagName, namespace, attributes) => {
    elements += 1;
    if (elements > maxElements) throw new HtmlLimitError(explain("too_many_elements", { limit: maxElements }));
    return defaultTreeAdapter.createElement(tagName, namespace, attributes);
  };
  return {
    ...defaultTreeAdapter,
    createElement,
    onItemPush: () => {
      depth += 1;
      if (depth > maxDepth) throw new HtmlLimitError(explain("html_too_deep", { limit: maxDepth }));
    },
    onItemPop: () => {
      depth -= 1;
    },
  };
}

/** Returns whether a node is an element. */
export const isElement = (node: DefaultTreeAdapterMap["node"]): node is Element =>
  defaultTreeAdapter.isElementNode(node);

/** Returns the text of a node that is one; undefined for other nodes. */
export const textOfNode = (node: DefaultTreeAdapterMap["node"]): string | undefined =>
  defaultTreeAdapter.isTextNode(node) ? node.value : undefined;

/** Returns an attribute of an element. */
export const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;

/** Returns whether an element has a class. */
export const hasClass = (element: Element, name: string): boolean =>
  (attributeOf(element, "class") ?? "").split(/\s+/).includes(name);

/** Walks all elements below a node in the order of the page, in a time that does not depend on their depth. */
export function* elementsIn(parent: HtmlParent): Generator<Element> {
  const waiting: HtmlParent["childNodes"] = [...parent.childNodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = node.childNodes[index];
      if (child !== undefined) waiting.push(child);
    }
  }
}

/** Finds the first element below a node that fits. */
export function findElement(parent: HtmlParent, fits: (element: Element) => boolean): Element | undefined {
  for (const element of elementsIn(parent)) if (fits(element)) return element;
  return undefined;
}

/** Returns all text below a node. */
export function textIn(parent: HtmlParent): string {
  const parts: string[] = [];
  for (const child of parent.childNodes) {
    const text = textOfNode(child);
    if (text !== undefined) parts.push(text);
    else if (isElement(child)) parts.push(child.tagName === "br" ? "\n" : textIn(child));
  }
  return parts.join("");
}
