import type { NodeJSON } from "markdown-codec";
import { codeOf, lineText, wrapped } from "./blocks.ts";
import { attributeOf, type Element, findElement, hasClass, textIn } from "./parse.ts";
import type { ReadBlocks } from "./reading.ts";

/** The kinds of callouts for the boxes of Confluence, which has its own names for them. */
const boxes: readonly (readonly [className: string, kind: string])[] = [
  ["confluence-information-macro-information", "note"],
  ["confluence-information-macro-tip", "tip"],
  ["confluence-information-macro-note", "important"],
  ["confluence-information-macro-warning", "warning"],
];

/** Reads the macros of a Confluence page: boxes, code, panels, and sections that open. */
export function confluenceMacro(element: Element, read: ReadBlocks): NodeJSON[] | null {
  if (element.tagName !== "div" && element.tagName !== "pre") return null;
  const box = boxes.find(([className]) => hasClass(element, className));
  if (box !== undefined) return boxOf(element, box[1], read);
  // The page has an outline of its own.
  if (hasClass(element, "toc-macro")) return [];
  if (hasClass(element, "code")) return codeMacro(element);
  if (hasClass(element, "panel")) return panelOf(element, read);
  if (hasClass(element, "expand-container")) return expandOf(element, read);
  return null;
}

const byClass = (element: Element, name: string): Element | undefined =>
  findElement(element, (inner) => hasClass(inner, name));

const titleOf = (element: Element | undefined): string | null =>
  element === undefined ? null : lineText(element) || null;

function boxOf(element: Element, kind: string, read: ReadBlocks): NodeJSON[] {
  const body = byClass(element, "confluence-information-macro-body") ?? element;
  const title = titleOf(byClass(element, "title"));
  return wrapped("callout", read(body), { kind, title, folded: null, fence: null });
}

function codeMacro(element: Element): NodeJSON[] | null {
  const code = findElement(element, ({ tagName }) => tagName === "pre");
  if (code === undefined) return null;
  const parameters = attributeOf(code, "data-syntaxhighlighter-params") ?? "";
  const language = /brush:\s*([\w+#-]+)/.exec(parameters)?.[1] ?? null;
  const title = titleOf(byClass(element, "codeHeader"));
  const heading: NodeJSON[] =
    title === null ? [] : [{ type: "paragraph", content: [{ type: "text", text: title, marks: [{ type: "bold" }] }] }];
  return [...heading, codeOf(textIn(code), language)];
}

function panelOf(element: Element, read: ReadBlocks): NodeJSON[] | null {
  const content = byClass(element, "panelContent");
  if (content === undefined) return null;
  const attrs = { kind: "note", title: titleOf(byClass(element, "panelHeader")), folded: null, fence: null };
  return wrapped("callout", read(content), attrs);
}

function expandOf(element: Element, read: ReadBlocks): NodeJSON[] | null {
  const content = byClass(element, "expand-content");
  if (content === undefined) return null;
  const summary = titleOf(byClass(element, "expand-control-text") ?? byClass(element, "expand-control"));
  return wrapped("details", read(content), { summary, open: false });
}
