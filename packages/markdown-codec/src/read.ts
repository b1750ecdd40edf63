import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { insertMark, NO_MARKS, removeMark } from "./normal/marks.ts";
import type { Environment } from "./syntax/environment.ts";
import { createTokenizer } from "./syntax/tokenizer.ts";
import type { Attrs, MarkJSON, NodeJSON } from "./types.ts";

/** A token that opens a block or stands for a node: the name of the node, and how its attributes are read. */
type Rule = readonly [name: string, attrs?: (token: Token) => Attrs];

const label = (token: Token): Attrs => ({ label: token.attrGet("label") });
const cell = (token: Token): Attrs => ({ colspan: 1, rowspan: 1, colwidth: null, align: align(token) });

const BLOCKS: { readonly [token: string]: Rule } = {
  paragraph: ["paragraph"],
  heading: ["heading", (token) => ({ level: Number(token.tag.slice(1)), id: token.attrGet("id") })],
  blockquote: ["blockquote"],
  bullet_list: ["bulletList"],
  ordered_list: ["orderedList", (token) => ({ start: Number(token.attrGet("start") ?? 1), type: null })],
  list_item: ["listItem"],
  task_list: ["taskList"],
  task_item: ["taskItem", (token) => ({ checked: token.attrGet("checked") === "x" })],
  table: ["table"],
  tr: ["tableRow"],
  th: ["tableHeader", cell],
  td: ["tableCell", cell],
  footnote: ["footnoteDefinition", label],
};

const LEAVES: { readonly [token: string]: Rule } = {
  hr: ["horizontalRule"],
  hardbreak: ["hardBreak"],
  footnote_ref: ["footnoteReference", label],
  image: [
    "image",
    (token) => ({
      src: token.attrGet("src"),
      alt: token.attrGet("alt") || null,
      title: token.attrGet("title") || null,
    }),
  ],
};

const MARKS: { readonly [token: string]: string } = {
  strong: "bold",
  em: "italic",
  s: "strike",
  underline: "underline",
  highlight: "highlight",
  subscript: "subscript",
  superscript: "superscript",
};

const CODE: MarkJSON = { type: "code" };

// A tokenizer for each depth that was asked for; it keeps nothing of what it reads.
const tokenizers = new Map<number, MarkdownIt>();

function tokenizerFor(containers: number): MarkdownIt {
  const tokenizer = tokenizers.get(containers) ?? createTokenizer(containers);
  tokenizers.set(containers, tokenizer);
  return tokenizer;
}

function align(token: Token): string | null {
  return token.attrGet("style")?.slice("text-align:".length) ?? null;
}

/** Reads Markdown into JSON as the syntax says; `normalize` makes a document of it. */
export function readMarkdown(text: string, environment: Environment): NodeJSON {
  const tokenizer = tokenizerFor(environment.containers);
  return new TokenWalk(tokenizer).read(tokenizer.parse(text, environment));
}

/** A block whose content is being read. */
interface OpenNode {
  readonly node: NodeJSON;
  readonly content: NodeJSON[];
}

function openNode([type, attrs]: Rule, token: Token): OpenNode {
  const content: NodeJSON[] = [];
  return { node: attrs ? { type, attrs: attrs(token), content } : { type, content }, content };
}

function withoutContent({ type, attrs }: NodeJSON): NodeJSON {
  return attrs ? { type, attrs } : { type };
}

class TokenWalk {
  readonly #tokenizer: MarkdownIt;
  readonly #open: OpenNode[] = [];
  #content: NodeJSON[] = [];
  #marks: readonly MarkJSON[] = NO_MARKS;

  constructor(tokenizer: MarkdownIt) {
    this.#tokenizer = tokenizer;
  }

  read(tokens: readonly Token[]): NodeJSON {
    const content = this.#content;
    for (const token of tokens) this.#block(token);
    return { type: "doc", content };
  }

  #block(token: Token): void {
    if (token.type === "inline") this.#inline(token.children ?? []);
    else if (token.nesting === 1) this.#openBlock(token);
    else if (token.nesting === -1) this.#closeBlock(token);
    else if (token.type === "hr") this.#content.push({ type: "horizontalRule" });
    else this.#code(token);
  }

  #openBlock(token: Token): void {
    const rule = BLOCKS[token.type.slice(0, -5)];
    if (rule === undefined) return;
    const opened = openNode(rule, token);
    this.#open.push({ node: opened.node, content: this.#content });
    this.#content = opened.content;
  }

  #closeBlock(token: Token): void {
    if (BLOCKS[token.type.slice(0, -6)] === undefined) return;
    const closed = this.#open.pop();
    if (closed === undefined) return;
    closed.content.push(this.#content.length === 0 ? withoutContent(closed.node) : closed.node);
    this.#content = closed.content;
  }

  #code(token: Token): void {
    const text = token.content.endsWith("\n") ? token.content.slice(0, -1) : token.content;
    const attrs = { language: this.#tokenizer.utils.unescapeAll(token.info).trim() || null };
    this.#content.push({
      type: "codeBlock",
      attrs,
      ...(text === "" ? undefined : { content: [{ type: "text", text }] }),
    });
  }

  #inline(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.type === "text") this.#text(token.content, this.#marks);
      else if (token.type === "softbreak") this.#text(" ", this.#marks);
      else if (token.type === "code_inline") this.#text(token.content, insertMark(this.#marks, CODE));
      else if (token.type.endsWith("_open")) this.#openMark(token);
      else if (token.type.endsWith("_close")) this.#marks = removeMark(this.#marks, markName(token));
      else this.#leaf(token);
    }
    this.#marks = NO_MARKS;
  }

  #text(text: string, marks: readonly MarkJSON[]): void {
    const last = this.#content.at(-1);
    if (text === "") return;
    if (last?.type === "text" && (last.marks ?? NO_MARKS) === marks) {
      this.#content[this.#content.length - 1] = { ...last, text: last.text + text };
    } else this.#content.push(marks === NO_MARKS ? { type: "text", text } : { type: "text", marks, text });
  }

  #openMark(token: Token): void {
    const type = markName(token);
    const attrs = { href: token.attrGet("href"), title: token.attrGet("title") || null };
    this.#marks = insertMark(this.#marks, type === "link" ? { type, attrs } : { type });
  }

  #leaf(token: Token): void {
    const rule = LEAVES[token.type];
    if (rule === undefined) return;
    const [type, attrs] = rule;
    const marks = this.#marks === NO_MARKS ? undefined : { marks: this.#marks };
    this.#content.push({ type, ...(attrs ? { attrs: attrs(token) } : undefined), ...marks });
  }
}

function markName(token: Token): string {
  return MARKS[token.type.slice(0, token.nesting === 1 || token.type.endsWith("_open") ? -5 : -6)] ?? "link";
}
