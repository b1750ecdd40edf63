import { CodecError } from "../error.ts";
import { foldLabel } from "../label.ts";
import { NO_MARKS } from "../normal/marks.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { isSafeUrl } from "../url.ts";
import { markSteps } from "../write/marks.ts";

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
  link: "a",
  italic: "em",
  bold: "strong",
  strike: "del",
  underline: "u",
  highlight: "mark",
  subscript: "sub",
  superscript: "sup",
};
// On ties emphasis lies around strong emphasis, as in the examples of CommonMark.
const ORDER = Object.keys(TAGS);

/** The line of text as HTML: marks nest, and one that overlaps another is closed and opened again. */
export function inlineHtml(nodes: readonly NodeJSON[] = [], page: Page): string {
  const open: MarkJSON[] = [];
  let out = "";
  const closeTo = (depth: number): void => {
    for (const mark of open.splice(depth).reverse()) out += `</${TAGS[mark.type]}>`;
  };
  nodes.forEach((node, index) => {
    const wanted = (node.marks ?? NO_MARKS).filter((mark) => ORDER.includes(mark.type));
    wanted.sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
    const { keep, missing } = markSteps(open, wanted, nodes, index);
    closeTo(keep);
    for (const { type, attrs } of missing) {
      out += `<${TAGS[type]}${type === "link" ? address("href", attrs?.href, page) + attribute("title", attrs?.title) : ""}>`;
    }
    open.push(...missing);
    const html = nodeHtml(node, page);
    out += node.marks?.some((mark) => mark.type === "code") ? `<code>${html}</code>` : html;
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
