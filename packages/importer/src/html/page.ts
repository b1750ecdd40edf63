import { posix } from "node:path";
import { type DocJSON, type NodeJSON, serializeMarkdown } from "markdown-codec";
import { lineText } from "./blocks.ts";
import { confluenceMacro } from "./confluence.ts";
import { documentOf } from "./document.ts";
import { attributeOf, type Element, elementsIn, findElement, type HtmlParent, parsePage } from "./parse.ts";

/** A page of HTML as Markdown, with what it says of itself. */
export type HtmlPage = {
  readonly title: string | null;
  readonly markdown: string;
  /** Address of the page above it, as it is written; null at the top. */
  readonly parent: string | null;
};

/**
 * Reads a page of an HTML export. Of a Confluence page, the navigation around the text is left out, and attachments that the
 * text does not name are listed at its end.
 * @throws {HtmlLimitError} for HTML that would take too long, {CodecError} for text that no document may have
 */
export function readHtmlPage(source: string, onLeftOut: (what: string) => void): HtmlPage {
  const page = parsePage(source);
  const content = byId(page, "main-content");
  const titleElement = byId(page, "title-text") ?? findElement(page, ({ tagName }) => tagName === "title");
  const written = titleElement === undefined ? "" : lineText(titleElement);
  if (content === undefined) {
    const doc = documentOf(page, { macro: () => null, onLeftOut });
    return { title: written || null, markdown: serializeMarkdown(doc), parent: null };
  }
  const doc = withAttachments(documentOf(content, { macro: confluenceMacro, onLeftOut }), page);
  const crumbs = addressesIn(byId(page, "breadcrumbs"));
  const parent = crumbs.at(-1)?.href ?? null;
  return {
    // The title of an export begins with the name of the space.
    title: written.replace(/^.*? : /, "") || null,
    markdown: serializeMarkdown(doc),
    parent: parent !== null && posix.basename(parent) === "index.html" ? null : parent,
  };
}

const byId = (parent: HtmlParent, id: string): Element | undefined =>
  findElement(parent, (element) => attributeOf(element, "id") === id);

type Address = { readonly href: string; readonly text: string };

function addressesIn(element: Element | undefined): Address[] {
  if (element === undefined) return [];
  return [...elementsIn(element)].flatMap((inner) => {
    const href = inner.tagName === "a" ? attributeOf(inner, "href") : undefined;
    return href === undefined || href === "" ? [] : [{ href, text: lineText(inner) || posix.basename(href) }];
  });
}

/** Adds the attachments of a Confluence page that its text does not name, so that none is lost. */
function withAttachments(doc: DocJSON, page: HtmlParent): DocJSON {
  const heading = byId(page, "attachments");
  const section = [...elementsIn(page)].find((element) =>
    element.childNodes.some((child) => child === heading?.parentNode),
  );
  const written = JSON.stringify(doc.content);
  const unnamed = addressesIn(section).filter(
    ({ href }) => href.startsWith("attachments/") && !written.includes(JSON.stringify(href).slice(1, -1)),
  );
  if (unnamed.length === 0) return doc;
  const items = unnamed.map(({ href, text }) => ({
    type: "listItem",
    content: [
      { type: "paragraph", content: [{ type: "text", text, marks: [{ type: "link", attrs: { href, title: null } }] }] },
    ],
  }));
  const title: NodeJSON = {
    type: "heading",
    attrs: { level: 2, id: null },
    content: [{ type: "text", text: "Attachments" }],
  };
  return { ...doc, content: [...doc.content, title, { type: "bulletList", content: items }] };
}
