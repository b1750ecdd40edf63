import { below } from "./depth.ts";
import { CodecError } from "./error.ts";
import { attribute, escapeHtml, footnoteId, inlineHtml, type Page } from "./html/inline.ts";
import type { DocJSON, HtmlOptions, NodeJSON } from "./types.ts";
import { isEmptyParagraph, isTight } from "./write/list.ts";

// Schemes that open a page, a mail or a call, and run nothing.
const SCHEMES =
  "http https mailto tel sms ftp ftps sftp irc ircs xmpp geo news nntp webcal matrix magnet git ssh".split(" ");

/**
 * The document as HTML, for a page or a mail. It is safe by construction: every text and every attribute is escaped,
 * addresses have to be relative or of an allowed scheme, and no HTML of the author comes through. Only headings have
 * ids, and footnotes (`fn-…`, `fnref-…`).
 *
 * @throws CodecError `INVALID_DOC` for a node of unknown type, `NESTING`
 */
export function toHtml(doc: DocJSON, options: HtmlOptions = {}): string {
  const schemes = [...SCHEMES, ...(options.schemes ?? [])].map((scheme) => scheme.toLowerCase());
  return blocksHtml(doc.content, { schemes: new Set(schemes), references: new Map() }, 0);
}

function blocksHtml(nodes: readonly NodeJSON[] = [], page: Page, depth: number): string {
  let out = "";
  for (const node of nodes) out += blockHtml(node, page, below(depth));
  return out;
}

function blockHtml(node: NodeJSON, page: Page, depth: number): string {
  const { attrs, content } = node;
  switch (node.type) {
    case "paragraph":
      return `<p>${inlineHtml(content, page)}</p>\n`;
    case "heading":
      return headingHtml(node, page);
    case "blockquote":
      return `<blockquote>\n${blocksHtml(content, page, depth)}</blockquote>\n`;
    case "bulletList":
      return `<ul>\n${itemsHtml(node, page, depth)}</ul>\n`;
    case "taskList":
      return `<ul class="task-list">\n${itemsHtml(node, page, depth)}</ul>\n`;
    case "orderedList":
      return `<ol${startAttribute(attrs?.start)}>\n${itemsHtml(node, page, depth)}</ol>\n`;
    case "codeBlock":
      return codeHtml(node);
    case "horizontalRule":
      return "<hr />\n";
    case "table":
      return tableHtml(node, page, depth);
    case "footnoteDefinition":
      return footnoteHtml(node, page, depth);
  }
  throw new CodecError("INVALID_DOC", `Unknown type of block: ${node.type}.`, { path: [] });
}

function headingHtml({ attrs, content }: NodeJSON, page: Page): string {
  const tag = `h${Number(attrs?.level ?? 1)}`;
  return `<${tag}${attribute("id", attrs?.id)}>${inlineHtml(content, page)}</${tag}>\n`;
}

function startAttribute(start: unknown): string {
  return typeof start === "number" && start !== 1 ? ` start="${start}"` : "";
}

// Tight and loose as the Markdown of the same document is.
function itemsHtml(list: NodeJSON, page: Page, depth: number): string {
  const tight = isTight(list);
  let out = "";
  for (const item of list.content ?? []) {
    const [head = { type: "paragraph" }, ...others] = item.content ?? [];
    const isTask = item.type === "taskItem";
    const isBare = tight || isTask;
    // What Markdown has no line for has no paragraph here either.
    const isHidden = !isBare && isEmptyParagraph(head) && others[0]?.type !== "paragraph";
    const box = `<input type="checkbox" disabled=""${item.attrs?.checked === true ? ' checked=""' : ""} /> `;
    out += `<li>${isTask ? box : ""}`;
    if (isBare) out += inlineHtml(head.content, page) + (others.length > 0 ? "\n" : "");
    else if (!isHidden) out += `\n${blockHtml(head, page, depth)}`;
    else if (others.length > 0) out += "\n";
    out += `${blocksHtml(others, page, depth)}</li>\n`;
  }
  return out;
}

function codeHtml(node: NodeJSON): string {
  const [language] = String(node.attrs?.language ?? "").split(/\s/);
  const text = node.content?.[0]?.text ?? "";
  const name = language ? attribute("class", `language-${language}`) : "";
  return `<pre><code${name}>${text === "" ? "" : `${escapeHtml(text)}\n`}</code></pre>\n`;
}

function tableHtml(table: NodeJSON, page: Page, depth: number): string {
  const [head = "", ...body] = (table.content ?? []).map((row) => `<tr>\n${cellsHtml(row, page, depth)}</tr>\n`);
  const rest = body.length > 0 ? `<tbody>\n${body.join("")}</tbody>\n` : "";
  return `<table>\n<thead>\n${head}</thead>\n${rest}</table>\n`;
}

function cellsHtml(row: NodeJSON, page: Page, depth: number): string {
  let out = "";
  for (const { type, attrs, content = [] } of row.content ?? []) {
    const tag = type === "tableHeader" ? "th" : "td";
    const isLine = content.length === 1 && content[0]?.type === "paragraph";
    const inner = isLine ? inlineHtml(content[0]?.content, page) : blocksHtml(content, page, depth);
    out += `<${tag}${attribute("align", attrs?.align)}>${inner}</${tag}>\n`;
  }
  return out;
}

function footnoteHtml({ attrs, content }: NodeJSON, page: Page, depth: number): string {
  const label = String(attrs?.label);
  const id = footnoteId(label);
  const back = `<sup><a href="#fnref-${id}">${escapeHtml(label)}</a></sup>`;
  return `<div class="footnote" id="fn-${id}" role="doc-footnote">\n${back}\n${blocksHtml(content, page, depth)}</div>\n`;
}
