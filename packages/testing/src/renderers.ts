import { markdownToHTML } from "comrak";
import { nameToEmoji } from "gemoji";
import { toHtml } from "hast-util-to-html";
import MarkdownIt from "markdown-it";
import type { Nodes } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

/** A reader of Markdown that is not ours, and shows what it read as HTML. */
export interface Renderer {
  readonly name: string;
  readonly render: (markdown: string) => string;
  /** Whether it is known to read this text against CommonMark, so that it says nothing about it. */
  readonly mistakes: (markdown: string) => boolean;
}

const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\n(?:([\s\S]*?)\n)?\1[ \t]*(?:\n|$)/;
const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$/im;

const remark = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(remarkFrontmatter, ["yaml", "toml"])
  .use(remarkRehype, {
    allowDangerousHtml: true,
    handlers: {
      yaml: (_state: unknown, node: { value: string }) => ({ type: "text", value: `front matter ${node.value}` }),
      toml: (_state: unknown, node: { value: string }) => ({ type: "text", value: `front matter ${node.value}` }),
    },
  });

function withRemark(markdown: string): string {
  const tree = remark.runSync(remark.parse(markdown));
  return toHtml(tree, { allowDangerousHtml: true });
}

const markdownIt = new MarkdownIt({ html: true, linkify: true });

function withMarkdownIt(markdown: string): string {
  const [front = ""] = FRONT_MATTER.exec(markdown) ?? [];
  return `${front}\n${markdownIt.render(markdown.slice(front.length))}`;
}

function withComrak(markdown: string): string {
  const html = markdownToHTML(markdown, {
    extension: {
      alerts: true,
      autolink: true,
      footnotes: true,
      frontMatterDelimiter: "---",
      strikethrough: true,
      // One tilde is strikethrough otherwise, and a pair of them may have spaces inside: it is text to the other readers.
      subscript: true,
      table: true,
      tasklist: true,
    },
    render: { unsafe: true },
  });
  return html.replace(/<\/?sub>/g, "~");
}

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

/** The words that comrak shows: text, code, and what stands for an image. */
export function shownText(markdown: string): string {
  return withComrak(markdown)
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<img [^<>]*?alt="([^"]*)"[^<>]*>/g, "$1")
    .replace(/<\/?(?:p|h\d|[uo]l|li|t\w+|pre|blockquote|[bh]r)(?: [^<>]*)?\/?>/g, " ")
    .replace(/<[!/?A-Za-z][^<>]*>/g, "")
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/**
 * True where remark takes a numbered list for a paragraph: micromark lets only a list from 1 follow indented code,
 * where CommonMark lets any. All that follows in such a list is read differently.
 */
export function mistakesList(markdown: string): boolean {
  const visit = (node: Nodes): boolean => {
    if (node.type === "paragraph") {
      const start = node.position?.start.offset ?? 0;
      return /^\d{1,9}[.)][ \t]/.test(markdown.slice(start, start + 12));
    }
    return "children" in node && node.children.some(visit);
  };
  return visit(remark.parse(markdown));
}

/** Three readers that share no code with each other. */
export const renderers: readonly Renderer[] = [
  { name: "remark", render: withRemark, mistakes: mistakesList },
  { name: "markdown-it", render: withMarkdownIt, mistakes: () => false },
  { name: "comrak", render: withComrak, mistakes: () => false },
];

/** Maps the address of a link or picture to what a comparison calls it. */
export type NameOfTarget = (address: string) => string;

const FORMATS = new Set(["a", "code", "del", "em", "strong"]);

/** Collects what a page shows: text with its formats, and all other tags in their order. */
class Page {
  readonly #parts: string[] = [];
  readonly #formats: string[] = [];
  readonly #nameOf: NameOfTarget;
  #last = "";

  constructor(nameOf: NameOfTarget = (address) => address) {
    this.#nameOf = nameOf;
  }

  text(text: string): void {
    const written = text.replace(/\s+/g, " ");
    if (written.trim() === "") return;
    // Some readers show the Markdown within HTML as text.
    const isCode = this.#formats.some((format) => format.startsWith("<code"));
    const shown = isCode ? written : written.replace(/(\]\()([^()<>\s]+)/g, (_, sign, to) => sign + this.#nameOf(to));
    const formats = [...new Set(this.#formats)].sort().join(" ");
    if (formats !== this.#last || this.#parts.length === 0) this.#parts.push(`{${formats}}`);
    this.#last = formats;
    this.#parts.push(shown);
  }

  verbatim(text: string): void {
    this.#parts.push(text);
  }

  tag(given: string): void {
    const tag = given.replace(
      /(\s(?:href|src|poster)\s*=\s*["'])([^"']*)/gi,
      (_, name, address) => name + this.#nameOf(address.replaceAll("&amp;", "&")),
    );
    const [, slash = "", name = ""] = /^<(\/?)([A-Za-z][\w.-]*)/.exec(tag) ?? [];
    if (!FORMATS.has(name.toLowerCase())) {
      this.#last = "?";
      this.#parts.push(tag.replace(/\s+/g, " ").replace(/ ?\/?>$/, ">"));
    } else if (slash === "") this.#formats.push(tag);
    else
      this.#formats.splice(
        this.#formats.findLastIndex((format) => format.startsWith(`<${name}`)),
        1,
      );
  }

  toString(): string {
    return this.#parts.join("").replace(/ ?(<[^>]*>|\{[^}]*\}) ?/g, "$1");
  }
}

/**
 * The page that a renderer shows, without what a page does not show: white space beside other white space, in which
 * order formats nest, whether the first paragraph of an item is one of a loose list, and emoji as shortcodes. Addresses are
 * shown as `nameOf` returns them.
 */
export function pageOf(renderer: Renderer, markdown: string, nameOf?: NameOfTarget): string {
  const alerts = [...markdown.matchAll(/^[> \t]*>[ \t]*(\[!\w+\].*)$/gm)].map(([, line = ""]) => ALERT.exec(line)?.[1]);
  const html = renderer
    .render(markdown)
    .replace(/<li([^>]*)>\s*<p>([\s\S]*?)<\/p>/g, "<li$1>$2")
    .replace(/:([a-z0-9_+-]+):/g, (code, name: string) => nameToEmoji[name] ?? code);
  const page = new Page(nameOf);
  for (const [whole, verbatim, tag] of html.matchAll(/(<pre[\s\S]*?<\/pre>)|(<[!/?A-Za-z][^<>]*>)|[^<]+|</g)) {
    if (verbatim) page.verbatim(verbatim);
    else if (tag) page.tag(tag);
    else page.text(whole);
  }
  return `${alerts.join(" ")}\n${page}`;
}
