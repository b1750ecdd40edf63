import type { Token } from "markdown-it";
import { CodecError } from "./error.ts";
import type { Labels } from "./label.ts";
import { checkNodes, containerLimit } from "./limits.ts";
import { cleanLine } from "./normal/text.ts";
import { inlineNodes } from "./read/inline.ts";
import type { Environment } from "./syntax/environment.ts";
import { splitHeadingId } from "./syntax/heading-id.ts";
import { tooDeep } from "./syntax/nesting.ts";
import type { References } from "./syntax/references.ts";
import { isPlain } from "./syntax/text-rule.ts";
import { theTokenizer } from "./syntax/tokenizer.ts";
import type { Attrs, DocJSON, Limits, NodeJSON } from "./types.ts";

/** A node that is being read: its parts may still be set. */
interface Draft {
  type: string;
  attrs?: Attrs;
  content: NodeJSON[];
}

/** A line of text that can be read only when all definitions are known. */
interface Waiting {
  readonly block: Draft;
  readonly text: string;
  readonly line: number;
}

const CONTAINERS: { readonly [tag: string]: string } = {
  blockquote: "blockquote",
  ul: "bulletList",
  ol: "orderedList",
  li: "listItem",
  footnote: "footnoteDefinition",
  table: "table",
  tr: "tableRow",
  th: "tableHeader",
  td: "tableCell",
};

const TASK = /^\[([ xX])\](?:[ \t\n]+|$)/;

function attrsOf(token: Token): Attrs | undefined {
  switch (token.tag) {
    case "ol":
      return { start: Number(token.attrGet("start") ?? 1), type: null };
    case "footnote":
      return { label: token.info };
    case "th":
    case "td": {
      const align = token.attrGet("style")?.slice("text-align:".length) ?? null;
      return { colspan: 1, rowspan: 1, colwidth: null, align };
    }
  }
  return undefined;
}

// More than the text writes itself, by references; without a bound one line could stand for gigabytes.
const INLINE_NESTING = 32;

/**
 * Reads one text into a document in normal form. Blocks are taken from the tokenizer as they are finished and become
 * JSON at once; lines of text that hold markup are read when the text has ended and all definitions are known.
 */
export class Reader implements Environment {
  readonly footnotes: Set<string> = new Set();
  readonly known: Labels | undefined;
  readonly containers: number;
  /** The definitions of links; markdown-it puts them here. */
  references?: References;
  readonly #limits: Limits;
  #nodes = 1;
  #line = 1;
  #addresses: number;
  #top: Draft = { type: "doc", content: [] };
  readonly #outer: Draft[] = [];
  // The level of the heading whose text comes next, if it is one.
  #level = 0;
  readonly #waiting: Waiting[] = [];

  /** `addresses`: how many characters the addresses and titles of all links may have together. */
  constructor(limits: Limits, addresses: number, known?: Labels) {
    this.#limits = limits;
    this.#addresses = addresses;
    this.known = known;
    this.containers = containerLimit(limits);
  }

  /** The document that a cleaned text says; `onBlocks` is called when its blocks are known, and its lines are not. */
  read(source: string, onBlocks?: (references?: References) => void): DocJSON {
    const md = theTokenizer();
    // One option of markdown-it limits both blocks and brackets. Each bracket costs as many steps as it allows.
    Object.assign(md.options, { maxNesting: this.containers + 10 });
    const { content } = this.#top;
    const tokens: Token[] = [];
    md.block.parse(source, md, this, tokens);
    this.take(tokens);
    onBlocks?.(this.references);
    Object.assign(md.options, { maxNesting: INLINE_NESTING });
    for (const { block, text, line } of this.#waiting) {
      const children: Token[] = [];
      md.inline.parse(text, md, this, children);
      const nodes = inlineNodes(children, line, this);
      this.#count(nodes.length);
      block.content = nodes;
      if (nodes.length === 0) Reflect.deleteProperty(block, "content");
    }
    if (content.length === 0) content.push({ type: "paragraph" });
    return { type: "doc", content };
  }

  take(tokens: Token[]): void {
    for (const token of tokens) this.#token(token);
    tokens.length = 0;
  }

  /** Throws `LIMIT` where references have made more of addresses than they may. */
  spend(length: number, line: number): void {
    this.#addresses -= length;
    if (this.#addresses < 0) throw new CodecError("LIMIT", "References to links expand the text too much.", { line });
  }

  #count(nodes: number): void {
    this.#nodes += nodes;
    checkNodes(this.#nodes, this.#limits);
  }

  #token(token: Token): void {
    if (token.map) this.#line = token.map[0] + 1;
    const { type, tag, nesting } = token;
    if (type === "inline") this.#text(token.content);
    else if (type === "heading_open") this.#level = Number(tag[1]);
    else if (type === "hr") this.#add({ type: "horizontalRule" });
    else if (tag === "code") this.#code(token);
    else if (CONTAINERS[tag] === undefined) return;
    else if (nesting === 1) this.#enter(token, CONTAINERS[tag]);
    else this.#leave(tag);
  }

  #add(node: NodeJSON): void {
    this.#count(1);
    this.#top.content.push(node);
  }

  #enter(token: Token, type: string): void {
    const { tag } = token;
    // An empty container has no block before which `blockStart` could be asked.
    if (token.level >= this.containers - 1 && (tag === "blockquote" || tag === "li" || tag === "footnote")) {
      throw tooDeep(this.containers, this.#line);
    }
    const attrs = attrsOf(token);
    this.#outer.push(this.#top);
    this.#top = attrs ? { type, attrs, content: [] } : { type, content: [] };
  }

  #leave(tag: string): void {
    const node = this.#top;
    this.#top = this.#outer.pop() ?? node;
    if (tag === "li") {
      if (node.content[0]?.type !== "paragraph") node.content.unshift({ type: "paragraph" });
      this.#chooseList(node.type === "taskItem" ? "taskList" : "bulletList");
    } else if (node.content.length === 0) node.content.push({ type: "paragraph" });
    this.#add(node);
  }

  // A list that mixes tasks with other items becomes one list for each run of a kind: an editor's lists hold one kind.
  #chooseList(type: string): void {
    const list = this.#top;
    if (list.type === "orderedList" || list.type === type) return;
    if (list.content.length === 0) list.type = type;
    else {
      this.#outer.at(-1)?.content.push(list);
      this.#top = { type, content: [] };
    }
  }

  #code(token: Token): void {
    const text = token.content.replace(/\n$/, "");
    const attrs = { language: cleanLine(theTokenizer().utils.unescapeAll(token.info)).trim() || null };
    if (text === "") this.#add({ type: "codeBlock", attrs });
    else this.#add({ type: "codeBlock", attrs, content: [{ type: "text", text }] });
  }

  // A paragraph (a cell holds one too, as it does in an editor) or, after its opening token, a heading.
  #text(content: string): void {
    const level = this.#level;
    this.#level = 0;
    const [text, id] = (level > 0 && splitHeadingId(content)) || [
      level > 0 ? content : this.#withoutBox(content),
      null,
    ];
    const attrs = { level, id };
    if (text === "") this.#add(level > 0 ? { type: "heading", attrs } : { type: "paragraph" });
    else {
      const isDone = isPlain(text);
      const nodes = isDone ? [{ type: "text", text }] : [];
      const block = level > 0 ? { type: "heading", attrs, content: nodes } : { type: "paragraph", content: nodes };
      this.#add(block);
      if (isDone) this.#count(1);
      else this.#waiting.push({ block, text, line: this.#line });
    }
  }

  // The text of a paragraph; the box at the head of an item makes that a task.
  #withoutBox(content: string): string {
    const item = this.#top;
    let text = content;
    if (content.startsWith("[") && item.type === "listItem" && item.content.length === 0) {
      const box = this.#outer.at(-1)?.type === "orderedList" ? null : TASK.exec(content);
      if (box !== null) {
        item.type = "taskItem";
        item.attrs = { checked: box[1] !== " " };
        text = content.slice(box[0].length);
      }
    }
    // Markdown has no other word for an empty paragraph. In a cell it is what it says.
    return text === "&nbsp;" && !item.type.startsWith("table") ? "" : text;
  }
}
