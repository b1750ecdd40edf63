import { below } from "./depth.ts";
import { CodecError } from "./error.ts";
import { foldLabel } from "./label.ts";
import { sameMark } from "./normal/marks.ts";
import type { DocJSON, HtmlOptions, MarkJSON, NodeJSON } from "./types.ts";
import { isSafeUrl } from "./url.ts";
import { isEmptyParagraph, isTight } from "./write/list.ts";
import { markExtents } from "./write/marks.ts";

// Schemes that open a page, a mail or a call, and run nothing.
const SCHEMES = [
  "http",
  "https",
  "mailto",
  "tel",
  "sms",
  "ftp",
  "ftps",
  "sftp",
  "irc",
  "ircs",
  "xmpp",
  "geo",
  "news",
  "nntp",
  "webcal",
  "matrix",
  "magnet",
  "git",
  "ssh",
];

const TAGS: { readonly [mark: string]: string } = {
  bold: "strong",
  italic: "em",
  strike: "del",
  underline: "u",
  highlight: "mark",
  subscript: "sub",
  superscript: "sup",
  code: "code",
};

/**
 * The document as HTML, for a page or a mail. It is safe by construction: every text and every attribute is escaped,
 * addresses have to be relative or of an allowed scheme, and no HTML of the author comes through. Only headings have
 * ids, and footnotes (`fn-…`, `fnref-…`).
 *
 * @throws CodecError `INVALID_DOC` for a node of unknown type
 */
export function toHtml(doc: DocJSON, options: HtmlOptions = {}): string {
  const writer = new HtmlWriter([...SCHEMES, ...(options.schemes ?? [])]);
  writer.blocks(doc.content);
  return writer.finish();
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

const ENTITIES: { readonly [char: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const LISTS = new Set(["bulletList", "orderedList", "taskList"]);
const EMPTY_PARAGRAPH: NodeJSON = { type: "paragraph" };

class HtmlWriter {
  #out = "";
  #depth = 0;
  readonly #schemes: ReadonlySet<string>;
  readonly #references = new Map<string, number>();

  constructor(schemes: readonly string[]) {
    this.#schemes = new Set(schemes.map((scheme) => scheme.toLowerCase()));
  }

  finish(): string {
    return this.#out;
  }

  blocks(nodes: readonly NodeJSON[] | undefined): void {
    for (const node of nodes ?? []) this.#block(node);
  }

  #block(node: NodeJSON): void {
    switch (node.type) {
      case "paragraph":
        this.#out += "<p>";
        this.#inline(node.content);
        this.#out += "</p>\n";
        break;
      case "heading":
        this.#heading(node);
        break;
      case "codeBlock":
        this.#code(node);
        break;
      case "horizontalRule":
        this.#out += "<hr />\n";
        break;
      case "table":
        this.#table(node);
        break;
      case "footnoteDefinition":
        this.#footnote(node);
        break;
      default:
        this.#container(node);
    }
  }

  #container(node: NodeJSON): void {
    this.#depth = below(this.#depth);
    const [open, close] = containerTags(node);
    this.#out += `${open}\n`;
    const tight = LISTS.has(node.type) && isTight(node);
    for (const child of node.content ?? []) {
      if (child.type === "listItem" || child.type === "taskItem") this.#item(child, tight);
      else this.#block(child);
    }
    this.#out += `${close}\n`;
    this.#depth--;
  }

  // Tight and loose as the Markdown of the same document is.
  #item(item: NodeJSON, tight: boolean): void {
    const [head, ...others] = item.content ?? [];
    const isTask = item.type === "taskItem";
    const isEmpty = head === undefined || isEmptyParagraph(head);
    this.#out += "<li>";
    if (isTask)
      this.#out += `<input type="checkbox" disabled=""${item.attrs?.checked === true ? ' checked=""' : ""} /> `;
    if (tight || isTask) this.#inline(head?.content);
    else if (!isEmpty || others[0]?.type === "paragraph") {
      this.#out += "\n";
      this.#block(head ?? EMPTY_PARAGRAPH);
    }
    if (others.length > 0 && (tight || isTask || isEmpty)) this.#out += "\n";
    this.blocks(others);
    this.#out += "</li>\n";
  }

  #heading(node: NodeJSON): void {
    const level = Number(node.attrs?.level ?? 1);
    const id = node.attrs?.id;
    this.#out += `<h${level}${typeof id === "string" ? ` id="${escapeHtml(id)}"` : ""}>`;
    this.#inline(node.content);
    this.#out += `</h${level}>\n`;
  }

  #code(node: NodeJSON): void {
    const language = String(node.attrs?.language ?? "").split(/\s/)[0] ?? "";
    const text = node.content?.[0]?.text ?? "";
    const name = language === "" ? "" : ` class="language-${escapeHtml(language)}"`;
    this.#out += `<pre><code${name}>${text === "" ? "" : `${escapeHtml(text)}\n`}</code></pre>\n`;
  }

  #table(node: NodeJSON): void {
    const [head, ...body] = node.content ?? [];
    this.#out += "<table>\n<thead>\n";
    if (head) this.#row(head);
    this.#out += "</thead>\n";
    if (body.length > 0) {
      this.#out += "<tbody>\n";
      for (const row of body) this.#row(row);
      this.#out += "</tbody>\n";
    }
    this.#out += "</table>\n";
  }

  #row(row: NodeJSON): void {
    this.#out += "<tr>\n";
    for (const cell of row.content ?? []) {
      const tag = cell.type === "tableHeader" ? "th" : "td";
      const { align } = cell.attrs ?? {};
      this.#out += `<${tag}${typeof align === "string" ? ` align="${escapeHtml(align)}"` : ""}>`;
      this.#cellContent(cell);
      this.#out += `</${tag}>\n`;
    }
    this.#out += "</tr>\n";
  }

  #cellContent(cell: NodeJSON): void {
    const [only, ...others] = cell.content ?? [];
    if (only?.type === "paragraph" && others.length === 0) this.#inline(only.content);
    else this.blocks(cell.content);
  }

  #footnote(node: NodeJSON): void {
    const label = escapeHtml(String(node.attrs?.label ?? ""));
    this.#out += `<div class="footnote" id="fn-${label}" role="doc-footnote">\n<sup><a href="#fnref-${label}">${label}</a></sup>\n`;
    this.blocks(node.content);
    this.#out += "</div>\n";
  }

  #inline(nodes: readonly NodeJSON[] = []): void {
    const extents = markExtents(nodes);
    const open: MarkJSON[] = [];
    nodes.forEach((node, index) => {
      const wanted = node.marks ?? [];
      let keep = 0;
      while (keep < open.length && wanted.some((mark) => isSame(mark, open[keep]))) keep++;
      this.#closeTo(open, keep);
      const missing = wanted.filter((mark) => !open.some((other) => isSame(mark, other)));
      missing.sort(
        (a, b) => rank(b) - rank(a) || (extents[index]?.get(b) ?? 0) - (extents[index]?.get(a) ?? 0) || tie(b) - tie(a),
      );
      for (const mark of missing) {
        open.push(mark);
        this.#out += mark.type === "link" ? this.#linkStart(mark) : `<${TAGS[mark.type] ?? "span"}>`;
      }
      this.#inlineNode(node);
    });
    this.#closeTo(open, 0);
  }

  #closeTo(open: MarkJSON[], depth: number): void {
    while (open.length > depth) {
      const mark = open.pop();
      if (mark) this.#out += mark.type === "link" ? "</a>" : `</${TAGS[mark.type] ?? "span"}>`;
    }
  }

  #linkStart(mark: MarkJSON): string {
    const href = this.#address(String(mark.attrs?.href ?? ""));
    return `<a${href === undefined ? "" : ` href="${href}"`}${titleAttribute(mark)}>`;
  }

  #inlineNode(node: NodeJSON): void {
    switch (node.type) {
      case "text":
        this.#out += escapeHtml(node.text ?? "");
        break;
      case "hardBreak":
        this.#out += "<br />\n";
        break;
      case "image":
        this.#image(node);
        break;
      case "footnoteReference":
        this.#reference(node);
        break;
      default:
        throw new CodecError("INVALID_DOC", `A ${node.type} cannot stand in a line of text.`, { path: [] });
    }
  }

  #image(node: NodeJSON): void {
    const { src, alt } = node.attrs ?? {};
    const text = escapeHtml(typeof alt === "string" ? alt : "");
    const address = this.#address(String(src ?? ""));
    this.#out += `<img${address === undefined ? "" : ` src="${address}"`} alt="${text}"${titleAttribute(node)} />`;
  }

  #reference(node: NodeJSON): void {
    const label = String(node.attrs?.label ?? "");
    const count = (this.#references.get(foldLabel(label)) ?? 0) + 1;
    this.#references.set(foldLabel(label), count);
    const text = escapeHtml(label);
    const id = count === 1 ? `fnref-${text}` : `fnref-${text}-${count}`;
    this.#out += `<sup><a href="#fn-${text}" id="${id}" role="doc-noteref">${text}</a></sup>`;
  }

  // The address as an attribute, or undefined where its scheme is not allowed.
  #address(url: string): string | undefined {
    const clean = url.replace(/^[\s\p{Cc}]+/u, "");
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(clean.replace(/[\t\n\r]/g, ""))?.[1]?.toLowerCase();
    if (!isSafeUrl(url) || (scheme !== undefined && !this.#schemes.has(scheme))) return undefined;
    // Characters that no URL has are encoded; what is encoded already stays.
    return escapeHtml(encodeURI(clean.toWellFormed()).replace(/%25([0-9a-f]{2})/gi, "%$1"));
  }
}

function isSame(a: MarkJSON, b: MarkJSON | undefined): boolean {
  return b !== undefined && sameMark(a, b);
}

// Code is innermost.
function rank(mark: MarkJSON): number {
  return mark.type === "code" ? 0 : 1;
}

// On ties emphasis lies around strong emphasis, as in the examples of CommonMark.
function tie(mark: MarkJSON): number {
  return mark.type === "link" ? 2 : mark.type === "italic" ? 1 : 0;
}

function titleAttribute(owner: MarkJSON | NodeJSON): string {
  const title = owner.attrs?.title;
  return typeof title === "string" && title !== "" ? ` title="${escapeHtml(title)}"` : "";
}

function containerTags(node: NodeJSON): readonly [string, string] {
  switch (node.type) {
    case "blockquote":
      return ["<blockquote>", "</blockquote>"];
    case "bulletList":
      return ["<ul>", "</ul>"];
    case "taskList":
      return ['<ul class="task-list">', "</ul>"];
    case "orderedList": {
      const start = Number(node.attrs?.start ?? 1);
      return [start === 1 ? "<ol>" : `<ol start="${start}">`, "</ol>"];
    }
    default:
      throw new CodecError("INVALID_DOC", `Unknown type of block: ${node.type}.`, { path: [] });
  }
}
