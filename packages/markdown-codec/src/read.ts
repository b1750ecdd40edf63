import type { Token } from "markdown-it";
import { CodecError } from "./error.ts";
import { containerLimit } from "./limits.ts";
import { cleanLine } from "./normal/text.ts";
import { inlineNodes } from "./read/inline.ts";
import type { Environment, Labels } from "./syntax/environment.ts";
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
  content?: NodeJSON[];
}

/** A block that holds others. */
interface Container extends Draft {
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
  #top: Container = { type: "doc", content: [] };
  readonly #outer: Container[] = [];
  // The block that the next line of text belongs to.
  #block: Draft = this.#top;
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
      if (nodes.length > 0) block.content = nodes;
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
    if (this.#nodes > this.#limits.nodes) {
      throw new CodecError("LIMIT", `The document has more than ${this.#limits.nodes} nodes.`);
    }
  }

  #token(token: Token): void {
    if (token.map) this.#line = token.map[0] + 1;
    const { type, tag, nesting } = token;
    if (type === "inline") this.#text(token.content);
    else if (type === "paragraph_open") this.#open({ type: "paragraph" });
    else if (type === "heading_open") this.#open({ type: "heading", attrs: { level: Number(tag[1]), id: null } });
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

  #open(block: Draft): void {
    this.#add(block);
    this.#block = block;
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
    // A cell holds a paragraph, as it does in an editor.
    if (tag === "th" || tag === "td") this.#open({ type: "paragraph" });
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
    const language = cleanLine(theTokenizer().utils.unescapeAll(token.info)).trim() || null;
    const content = text === "" ? undefined : { content: [{ type: "text", text }] };
    this.#add({ type: "codeBlock", attrs: { language }, ...content });
  }

  #text(content: string): void {
    const block = this.#block;
    const text = this.#withoutMarkers(content, block);
    if (text === "") return;
    if (!isPlain(text)) this.#waiting.push({ block, text, line: this.#line });
    else {
      this.#count(1);
      block.content = [{ type: "text", text }];
    }
  }

  // Takes the id off a heading, and the box off a task.
  #withoutMarkers(content: string, block: Draft): string {
    if (block.type === "heading") {
      const parts = splitHeadingId(content);
      if (parts !== null) block.attrs = { ...block.attrs, id: parts[1] };
      return parts?.[0] ?? content;
    }
    const item = this.#top;
    let text = content;
    if (content.startsWith("[") && item.type === "listItem" && item.content.length === 1) {
      const [box, mark] = (this.#outer.at(-1)?.type !== "orderedList" && TASK.exec(content)) || [""];
      if (box !== "") {
        item.type = "taskItem";
        item.attrs = { checked: mark !== " " };
        text = content.slice(box.length);
      }
    }
    // Markdown has no other word for an empty paragraph. In a cell it is what it says.
    return text === "&nbsp;" && !item.type.startsWith("table") ? "" : text;
  }
}
