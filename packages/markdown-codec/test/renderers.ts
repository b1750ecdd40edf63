import { markdownToHTML } from "comrak";
import { nameToEmoji } from "gemoji";
import { toHtml } from "hast-util-to-html";
import MarkdownIt from "markdown-it";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

/** A reader of Markdown that is not ours, and shows what it read as HTML. */
export interface Renderer {
  readonly name: string;
  readonly render: (markdown: string) => string;
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

/** Three readers that share no code with each other. */
export const renderers: readonly Renderer[] = [
  { name: "remark", render: withRemark },
  { name: "markdown-it", render: withMarkdownIt },
  { name: "comrak", render: withComrak },
];

const FORMATS = new Set(["a", "code", "del", "em", "strong"]);

/** Collects what a page shows: text with its formats, and all other tags in their order. */
class Page {
  readonly #parts: string[] = [];
  readonly #formats: string[] = [];
  #last = "";

  text(text: string): void {
    const shown = text.replace(/\s+/g, " ");
    if (shown.trim() === "") return;
    const formats = [...new Set(this.#formats)].sort().join(" ");
    if (formats !== this.#last || this.#parts.length === 0) this.#parts.push(`{${formats}}`);
    this.#last = formats;
    this.#parts.push(shown);
  }

  verbatim(text: string): void {
    this.#parts.push(text);
  }

  tag(tag: string): void {
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
 * order formats nest, whether the first paragraph of an item is one of a loose list, and emoji as shortcodes.
 */
export function pageOf(renderer: Renderer, markdown: string): string {
  const alerts = [...markdown.matchAll(/^[> \t]*>[ \t]*(\[!\w+\].*)$/gm)].map(([, line = ""]) => ALERT.exec(line)?.[1]);
  const html = renderer
    .render(markdown)
    .replace(/<li([^>]*)>\s*<p>([\s\S]*?)<\/p>/g, "<li$1>$2")
    .replace(/:([a-z0-9_+-]+):/g, (code, name: string) => nameToEmoji[name] ?? code);
  const page = new Page();
  for (const [whole, verbatim, tag] of html.matchAll(/(<pre[\s\S]*?<\/pre>)|(<[!/?A-Za-z][^<>]*>)|[^<]+|</g)) {
    if (verbatim) page.verbatim(verbatim);
    else if (tag) page.tag(tag);
    else page.text(whole);
  }
  return `${alerts.join(" ")}\n${page}`;
}
