import { CodecError } from "../error.ts";
import { NO_MARKS } from "../normal/marks.ts";
import type { MarkJSON, MathReader, NodeJSON } from "../types.ts";
import { isSafeAddress } from "../url.ts";
import { readWikiLink } from "../wiki-link.ts";
import { markSteps } from "../write/marks.ts";
import { escapeText } from "./escape.ts";
import type { PageIds } from "./ids.ts";
import { inlineMathHtml } from "./mathml.ts";

/** The HTML of nodes and marks that an integrator adds. */
export interface OwnHtml {
  /** The HTML of a node; undefined for one that is not the integrator's. */
  node(node: NodeJSON, page: Page, inner?: () => string): string | undefined;
  /** The words of a node; undefined for one that is not the integrator's. */
  words(node: NodeJSON): string | undefined;
  /** The tags of marks with their attributes, without angle brackets. */
  readonly marks: { readonly [mark: string]: string };
}

/** The context of one page: the schemes that links may have, its ids, whether every heading has one, and what shows formulas. */
export interface Page {
  readonly own?: OwnHtml | undefined;
  /** The tags of marks with their attributes; on ties the first lies around the others. */
  readonly tags: { readonly [mark: string]: string };
  readonly schemes: ReadonlySet<string>;
  readonly ids: PageIds;
  readonly headingIds: boolean;
  readonly math?: MathReader | undefined;
}

/** ` name="value"`, or an empty string without a value. */
export function attribute(name: string, value: unknown): string {
  const text = escapeText(typeof value === "number" ? String(value) : value);
  return text && ` ${name}="${text}"`;
}

/** The tags of marks. On ties emphasis lies around strong emphasis, as in the examples of CommonMark. */
export const TAGS: { readonly [mark: string]: string } = {
  link: "a",
  italic: "em",
  bold: "strong",
  strike: "del",
  underline: "u",
  highlight: "mark",
  subscript: "sub",
  superscript: "sup",
};
/** The line of text as HTML: marks nest, and one that overlaps another is closed and opened again. */
export function inlineHtml(nodes: readonly NodeJSON[] = [], page: Page): string {
  const open: MarkJSON[] = [];
  const { tags } = page;
  const order = Object.keys(tags);
  let out = "";
  const closeTo = (depth: number): void => {
    for (const mark of open.splice(depth).reverse()) out += `</${tags[mark.type]?.split(" ", 1)}>`;
  };
  nodes.forEach((node, index) => {
    const { marks = NO_MARKS } = node;
    const wanted = order.flatMap((type) => marks.filter((mark) => mark.type === type));
    const { keep, missing } = markSteps(open, wanted, nodes, index);
    closeTo(keep);
    for (const { type, attrs } of missing) {
      out += `<${tags[type]}${type === "link" ? address("href", attrs?.href, page) + attribute("title", attrs?.title) : ""}>`;
    }
    open.push(...missing);
    const html = nodeHtml(node, page);
    out += marks.some((mark) => mark.type === "code") ? `<code>${html}</code>` : html;
  });
  closeTo(0);
  return out;
}

function nodeHtml(node: NodeJSON, page: Page): string {
  const { src, alt, title, width, height } = node.attrs ?? {};
  switch (node.type) {
    case "text":
      return escapeText(node.text);
    case "hardBreak":
      return "<br />\n";
    case "image":
      return `<img${address("src", src, page)} alt="${escapeText(alt)}"${attribute("title", title)}${attribute("width", width)}${attribute("height", height)} />`;
    case "footnoteReference":
      return referenceHtml(String(node.attrs?.label), page);
    case "inlineMath":
      return inlineMathHtml(node.attrs?.latex, page.math);
    case "mention":
      return spanHtml("mention", node.attrs?.id, `@${node.attrs?.label}`);
    case "wikiLink": {
      const { target, text } = readWikiLink(node.attrs?.source);
      return spanHtml("wiki-link", target, text);
    }
    case "rawInline":
      return rawHtml(node);
  }
  return ownHtml(node, page);
}

/** The HTML of a node of an integrator. @throws CodecError `INVALID_DOC` for any other node */
export function ownHtml(node: NodeJSON, page: Page, inner?: () => string): string {
  const html = page.own?.node(node, page, inner);
  if (html === undefined) throw new CodecError("INVALID_DOC", `A ${node.type} cannot stand here.`, { path: [] });
  return html;
}

/** The kinds of raw constructs that no page shows. */
export const INVISIBLE: ReadonlySet<string> = new Set(["comment", "frontMatter", "linkDefinition"]);

function rawHtml({ attrs }: NodeJSON): string {
  const kind = String(attrs?.kind);
  if (INVISIBLE.has(kind)) return "";
  const source = escapeText(attrs?.source);
  return kind === "blockId" ? source : `<code>${source}</code>`;
}

// The application knows which page or person it is.
function spanHtml(name: string, target: unknown, text: string): string {
  return `<span class="${name}"${attribute("data-target", target)}>${escapeText(text)}</span>`;
}

// Every reference has an id of its own; the footnote leads back to the first.
function referenceHtml(label: string, { ids }: Page): string {
  const address = escapeText(ids.address("fn", label));
  const id = attribute("id", ids.labelled("fnref", label));
  return `<sup><a href="${address}"${id} role="doc-noteref">${escapeText(label)}</a></sup>`;
}

/** The address as an attribute, or an empty string if its scheme is not allowed. */
export function address(name: string, value: unknown, { schemes }: Page): string {
  const url = String(value ?? "").replace(/^[\s\p{Cc}]+/u, "");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\t\n\r]/g, ""))?.[1]?.toLowerCase();
  if (!isSafeAddress(url) || (scheme !== undefined && !schemes.has(scheme))) return "";
  // Characters that no URL has are encoded; what is encoded already stays.
  const encoded = encodeURI(url.toWellFormed()).replace(/%25([0-9a-f]{2})/gi, "%$1");
  return ` ${name}="${escapeText(encoded)}"`;
}
