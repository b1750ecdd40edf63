import { requireTree } from "../shape.ts";
import type { Attrs, DocJSON, HtmlOptions, NodeJSON } from "../types.ts";
import { readWikiLink } from "../wiki-link.ts";
import { isEmptyParagraph, isTight } from "../write/list.ts";
import { escapeText } from "./escape.ts";
import { PageIds } from "./ids.ts";
import { attribute, INVISIBLE, inlineHtml, type OwnHtml, ownHtml, type Page, TAGS } from "./inline.ts";
import { blockMathHtml } from "./mathml.ts";

// Schemes that open a page, a mail or a call, and run nothing.
const SCHEMES =
  "http https mailto tel sms ftp ftps sftp irc ircs xmpp geo news nntp webcal matrix magnet git ssh".split(" ");

/** `toHtml` with nodes and marks of an integrator. @throws CodecError as `toHtml` */
export function pageHtml(doc: DocJSON, options: HtmlOptions, own?: OwnHtml): string {
  const schemes = [...SCHEMES, ...(options.schemes ?? [])].map((scheme) => scheme.toLowerCase());
  requireTree(doc);
  const { headingIds = false } = options;
  return blocksHtml(doc.content, {
    schemes: new Set(schemes),
    ids: new PageIds(doc),
    headingIds,
    own,
    math: options.math,
    tags: { ...TAGS, ...own?.marks },
  });
}

function blocksHtml(nodes: readonly NodeJSON[] = [], page: Page): string {
  return nodes.map((node) => blockHtml(node, page)).join("");
}

function blockHtml(node: NodeJSON, page: Page): string {
  const { attrs, content } = node;
  switch (node.type) {
    case "paragraph":
      return `<p${attribute("align", attrs?.textAlign)}>${inlineHtml(content, page)}</p>\n`;
    case "heading":
      return headingHtml(node, page);
    case "blockquote":
      return `<blockquote>\n${blocksHtml(content, page)}</blockquote>\n`;
    case "bulletList":
      return `<ul>\n${itemsHtml(node, page)}</ul>\n`;
    case "taskList":
      return `<ul class="task-list">\n${itemsHtml(node, page)}</ul>\n`;
    case "orderedList":
      return `<ol${attrs?.start === 1 ? "" : attribute("start", attrs?.start)}>\n${itemsHtml(node, page)}</ol>\n`;
    case "codeBlock":
      return codeHtml(node);
    case "horizontalRule":
      return "<hr />\n";
    case "table":
      return tableHtml(node, page);
    case "footnoteDefinition":
      return footnoteHtml(node, page);
    case "callout":
    case "details":
      return boxHtml(node, page);
    case "blockMath":
      return blockMathHtml(attrs?.latex, page.math);
    case "rawBlock":
      return INVISIBLE.has(String(attrs?.kind)) ? "" : preHtml(attrs?.source);
  }
  return `${ownHtml(node, page, () => blocksHtml(content, page))}\n`;
}

// A callout that can be folded is a disclosure, as details are. Without a title it shows its kind, which decides no direction.
function boxHtml({ type, attrs, content }: NodeJSON, page: Page): string {
  const { kind, title, folded, summary, open } = attrs ?? {};
  const isBox = type === "callout" && typeof folded !== "boolean";
  const outer = isBox ? "div" : "details";
  const inner = isBox ? "p" : "summary";
  const name = kind ? attribute("class", `callout callout-${kind}`) : "";
  const words = escapeText(title || summary);
  const head = words || (kind ? `<bdi>${escapeText(kind)}</bdi>` : "");
  const shown = head && `<${inner}>${head}</${inner}>\n`;
  const state = open === true || folded === false ? ' open=""' : "";
  return `<${outer}${name}${state}>\n${shown}${blocksHtml(content, page)}</${outer}>\n`;
}

function headingHtml(heading: NodeJSON, page: Page): string {
  const { ids, headingIds, own } = page;
  const { level = 1, id, textAlign } = heading.attrs ?? {};
  const tag = `h${Number(level)}`;
  const shownId = id && typeof id === "string" ? ids.heading(id) : headingIds && ids.slug(wordsOf(heading, own));
  return `<${tag}${attribute("id", shownId)}${attribute("align", textAlign)}>${inlineHtml(heading.content, page)}</${tag}>\n`;
}

// The words of a heading as a reader sees them. Nothing but a mention has an id and a label.
function wordsOf({ content = [] }: NodeJSON, own: OwnHtml | undefined): string {
  return content
    .map((node) => {
      const { alt, latex, source, id, label } = node.attrs ?? {};
      if (node.type === "wikiLink") return readWikiLink(source).text;
      return node.text ?? own?.words(node) ?? alt ?? latex ?? (id && label);
    })
    .join("");
}

// Tight and loose as the Markdown of the same document is.
function itemsHtml(list: NodeJSON, page: Page): string {
  const tight = isTight(list);
  let out = "";
  for (const item of list.content ?? []) {
    const [head = { type: "paragraph" }, ...others] = item.content ?? [];
    const isTask = item.type === "taskItem";
    const isBare = tight || isTask;
    // Markdown has no line for such a paragraph, so it has none here either.
    const isHidden = !isBare && isEmptyParagraph(head) && others[0]?.type !== "paragraph";
    const box = `<input type="checkbox" disabled=""${item.attrs?.checked === true ? ' checked=""' : ""} /> `;
    out += `<li>${isTask ? box : ""}`;
    if (isBare) out += inlineHtml(head.content, page) + (others.length > 0 ? "\n" : "");
    else if (!isHidden) out += `\n${blockHtml(head, page)}`;
    else if (others.length > 0) out += "\n";
    out += `${blocksHtml(others, page)}</li>\n`;
  }
  return out;
}

function codeHtml({ attrs, content }: NodeJSON): string {
  const [language] = String(attrs?.language ?? "").split(/\s/);
  return preHtml(content?.[0]?.text, language ? attribute("class", `language-${language}`) : "");
}

function preHtml(text: unknown, attributes = ""): string {
  return `<pre><code${attributes}>${escapeText(text) && `${escapeText(text)}\n`}</code></pre>\n`;
}

function tableHtml(table: NodeJSON, page: Page): string {
  const [head = "", ...body] = (table.content ?? []).map((row) => `<tr>\n${cellsHtml(row, page)}</tr>\n`);
  const rest = body.length > 0 ? `<tbody>\n${body.join("")}</tbody>\n` : "";
  return `<table>\n<thead>\n${head}</thead>\n${rest}</table>\n`;
}

function spanAttribute(name: string, attrs: Attrs = {}): string {
  return Number(attrs[name]) > 1 ? attribute(name, attrs[name]) : "";
}

function cellsHtml(row: NodeJSON, page: Page): string {
  let out = "";
  for (const { type, attrs, content = [] } of row.content ?? []) {
    const tag = type === "tableHeader" ? "th" : "td";
    const [line, second] = content;
    const isLine = !second && line?.type === "paragraph";
    const inner = isLine ? inlineHtml(line.content, page) : blocksHtml(content, page);
    const spans = spanAttribute("colspan", attrs) + spanAttribute("rowspan", attrs);
    out += `<${tag}${spans}${attribute("align", attrs?.align)}>${inner}</${tag}>\n`;
  }
  return out;
}

function footnoteHtml({ attrs, content }: NodeJSON, page: Page): string {
  const { ids } = page;
  const label = String(attrs?.label);
  const back = `<sup><a href="${escapeText(ids.address("fnref", label))}">${escapeText(label)}</a></sup>`;
  const id = attribute("id", ids.labelled("fn", label));
  return `<div class="footnote"${id} role="doc-footnote">\n${back}\n${blocksHtml(content, page)}</div>\n`;
}
