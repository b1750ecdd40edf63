import { CodecError } from "../error.ts";
import { foldLabel } from "../label.ts";
import { NO_MARKS, sameMark } from "../normal/marks.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { isSafeUrl } from "../url.ts";
import { markExtents } from "../write/marks.ts";

/** What one page knows: the schemes that links may have, and how often each footnote was referred to. */
export interface Page {
  readonly schemes: ReadonlySet<string>;
  readonly references: Map<string, number>;
}

const ENTITIES: { readonly [char: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text, or the value of an attribute in double quotes. */
export function escapeHtml(text: unknown): string {
  return typeof text === "string" ? text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char) : "";
}

/** ` name="value"`, or nothing where there is no value. */
export function attribute(name: string, value: unknown): string {
  return typeof value === "string" && value !== "" ? ` ${name}="${escapeHtml(value)}"` : "";
}

const TAGS: { readonly [mark: string]: string } = {
  bold: "strong",
  italic: "em",
  strike: "del",
  underline: "u",
  highlight: "mark",
  subscript: "sub",
  superscript: "sup",
  code: "code",
  link: "a",
};

// Code is innermost. On ties emphasis lies around strong emphasis, as in the examples of CommonMark.
const TIES: { readonly [mark: string]: number } = { link: 2, italic: 1, code: -1 };
const rank = (mark: MarkJSON): number => TIES[mark.type] ?? 0;

/** The line of text as HTML: marks nest, and one that overlaps another is closed and opened again. */
export function inlineHtml(nodes: readonly NodeJSON[] = [], page: Page): string {
  const extents = markExtents(nodes);
  const open: MarkJSON[] = [];
  let out = "";
  const isOpen = (mark: MarkJSON): boolean => open.some((other) => sameMark(mark, other));
  const closeTo = (depth: number): void => {
    for (const mark of open.splice(depth).reverse()) out += `</${TAGS[mark.type]}>`;
  };
  nodes.forEach((node, index) => {
    const wanted = node.marks ?? NO_MARKS;
    const keep = open.findIndex((mark) => !wanted.some((other) => sameMark(mark, other)));
    if (keep !== -1) closeTo(keep);
    const extent = (mark: MarkJSON): number => (mark.type === "code" ? 0 : (extents[index]?.get(mark) ?? 0));
    const missing = wanted.filter((mark) => !isOpen(mark) && TAGS[mark.type] !== undefined);
    for (const mark of missing.sort((a, b) => extent(b) - extent(a) || rank(b) - rank(a))) {
      open.push(mark);
      const link =
        mark.type === "link" ? address("href", mark.attrs?.href, page) + attribute("title", mark.attrs?.title) : "";
      out += `<${TAGS[mark.type]}${link}>`;
    }
    out += nodeHtml(node, page);
  });
  closeTo(0);
  return out;
}

function nodeHtml(node: NodeJSON, page: Page): string {
  const { src, alt, title } = node.attrs ?? {};
  switch (node.type) {
    case "text":
      return escapeHtml(node.text);
    case "hardBreak":
      return "<br />\n";
    case "image":
      return `<img${address("src", src, page)} alt="${escapeHtml(alt)}"${attribute("title", title)} />`;
    case "footnoteReference":
      return referenceHtml(String(node.attrs?.label), page);
  }
  throw new CodecError("INVALID_DOC", `A ${node.type} cannot stand in a line of text.`, { path: [] });
}

/** The part of an id that stands for a footnote. */
export function footnoteId(label: string): string {
  return escapeHtml(foldLabel(label).toLowerCase());
}

// Every reference has an id of its own; the footnote leads back to the first.
function referenceHtml(label: string, { references }: Page): string {
  const id = footnoteId(label);
  const count = (references.get(id) ?? 0) + 1;
  references.set(id, count);
  const own = count === 1 ? id : `${id}-${count}`;
  return `<sup><a href="#fn-${id}" id="fnref-${own}" role="doc-noteref">${escapeHtml(label)}</a></sup>`;
}

// The address as an attribute, or nothing where its scheme is not allowed.
function address(name: string, value: unknown, { schemes }: Page): string {
  const url = String(value ?? "").replace(/^[\s\p{Cc}]+/u, "");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\t\n\r]/g, ""))?.[1]?.toLowerCase();
  if (!isSafeUrl(url) || (scheme !== undefined && !schemes.has(scheme))) return "";
  // Characters that no URL has are encoded; what is encoded already stays.
  const encoded = encodeURI(url.toWellFormed()).replace(/%25([0-9a-f]{2})/gi, "%$1");
  return ` ${name}="${escapeHtml(encoded)}"`;
}
