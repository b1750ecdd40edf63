import type { Token } from "markdown-it";
import { readCalloutHead } from "./callout.ts";
import { CodecError } from "./error.ts";
import type { Labels } from "./label.ts";
import { checkNodes, containerLimit, withDefaults } from "./limits.ts";
import { endsDetails, pairDetails } from "./normal/details.ts";
import { codeOf } from "./normal/nodes.ts";
import { cleanLine } from "./normal/text.ts";
import { canBeTight, settleTight } from "./normal/tight.ts";
import { holdsDataImage } from "./raw.ts";
import { attrsOf, CAN_BE_EMPTY, CONTAINERS } from "./read/containers.ts";
import { Definitions, type References } from "./read/definitions.ts";
import { inlineImage, inlineNodes } from "./read/inline.ts";
import { isCalloutSource } from "./read/raw-node.ts";
import type { ReaderSettings } from "./read/settings.ts";
import type { Environment } from "./syntax/environment.ts";
import { splitHeadingId } from "./syntax/heading-id.ts";
import { characters } from "./syntax/markdown-it.ts";
import { tooDeep } from "./syntax/nesting.ts";
import type { RawMeta } from "./syntax/raw-block.ts";
import type { Tokenizer } from "./syntax/tokenizer.ts";
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

const TEXT_BLOCKS = new Set(["paragraph", "heading", "codeBlock", "table"]);

const TASK = /^\[([ xX])\](?:[ \t\n]+|$)/;

function isTight({ meta }: { readonly meta: RawMeta | null }): boolean {
  return meta?.isTight ?? false;
}

/**
 * Reads one text into a document in normal form. Blocks are taken from the tokenizer as they are finished and become
 * JSON at once; lines of text that hold markup are read when the text has ended and all definitions are known.
 */
export class Reader implements Environment {
  readonly footnotes: Set<string> = new Set();
  readonly known: Labels | undefined;
  readonly containers: number;
  readonly unclosed: Map<number, number> = new Map();
  readonly directives: Environment["directives"] = new Map();
  isHolding = false;
  /** The line of the first table that has a row with too many cells. */
  wideTableLine: number | undefined;
  /** The definitions of links; markdown-it puts them here. */
  references?: References;
  readonly #limits: Limits;
  readonly #tokenizer: Tokenizer;
  #hasDetails = false;
  // True for a reader that only finds out how a source is read by itself.
  #isProbe = false;
  #nodes = 1;
  #line = 1;
  #addresses: number;
  #top: Draft = { type: "doc", content: [] };
  readonly #outer: Draft[] = [];
  // The level of the heading whose text comes next, if it is one.
  #level = 0;
  readonly #waiting: Waiting[] = [];
  readonly #definitions = new Definitions();
  readonly #tight: { readonly node: NodeJSON; readonly before: NodeJSON }[] = [];

  constructor({ tokenizer, limits = withDefaults(), addresses = Number.POSITIVE_INFINITY, known }: ReaderSettings) {
    this.#limits = limits;
    this.#tokenizer = tokenizer;
    this.#addresses = addresses;
    this.known = known;
    this.containers = containerLimit(limits);
  }

  /** The document that a cleaned text says. */
  read(source: string): DocJSON {
    const { content } = this.#top;
    this.take(this.#tokenizer.readBlocks(source, this));
    this.#definitions.watch(this.references);
    for (const { block, text, line } of this.#waiting) {
      const nodes = this.readLine(text, line);
      this.#count(nodes.length);
      block.content = nodes;
      if (nodes.length === 0) Reflect.deleteProperty(block, "content");
    }
    // A paragraph may have turned out to be empty.
    for (const { node, before } of this.#tight) Object.assign(node, this.#settled(node, before));
    this.#definitions.removeUsed();
    if (content.length === 0) content.push({ type: "paragraph" });
    return { type: "doc", content: this.#hasDetails ? this.#withDetails(content, 0) : content };
  }

  // A callout that is kept as it is because of the text before it is no callout without that text.
  #settled(node: NodeJSON, before: NodeJSON): NodeJSON {
    const settled = settleTight(node, before);
    return settled !== node && isCalloutSource(node) ? codeOf(String(node.attrs?.source)) : settled;
  }

  #withDetails(nodes: NodeJSON[], depth: number): NodeJSON[] {
    const paired = pairDetails(nodes, (around) => {
      if (depth + around >= this.containers - 1) throw tooDeep(this.containers, 1);
    });
    return paired.map((node) => {
      const isContainer = node.content !== undefined && !TEXT_BLOCKS.has(node.type);
      return isContainer ? { ...node, content: this.#withDetails(node.content ?? [], depth + 1) } : node;
    });
  }

  /** The nodes of a cleaned text of one block. */
  readLine(text: string, line = 1): NodeJSON[] {
    return inlineNodes(this.#tokenizer.readLine(text, this), line, this);
  }

  take(tokens: Token[]): void {
    for (const token of tokens) this.#token(token);
    tokens.length = 0;
  }

  text(content: string, level: number, line: number): void {
    this.#line = line;
    this.#level = level;
    this.#text(content);
  }

  /** Throws `LIMIT` where references have made more of addresses than they may. */
  spend(length: number, line: number): void {
    this.#addresses -= length;
    if (this.#addresses < 0) throw new CodecError("LIMIT", "References to links expand the text too much.", { line });
  }

  unescape(text: string): string {
    return characters.unescapeAll(text);
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
    else if (type === "raw") this.#raw(token);
    else if (type === "block_math") this.#add({ type: "blockMath", attrs: { latex: token.content } });
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
    if (token.level >= this.containers - 1 && CAN_BE_EMPTY.has(tag)) {
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
      if (node.content[0]?.type !== "paragraph") node.content.unshift(this.#definitions.filler());
    } else if (tag === "ul") {
      if (node.content.every(({ type }) => type === "taskItem")) node.type = "taskList";
    } else if (node.content.length === 0) node.content.push({ type: "paragraph" });
    this.#add(node);
  }

  #raw(token: Token): void {
    const { info, content: source } = token;
    if (info === "html" && holdsDataImage(source)) throw inlineImage(this.#line);
    if (info === "table") this.wideTableLine ??= this.#line;
    const given = { type: "rawBlock", attrs: { kind: info, source, tight: isTight(token) } };
    const isSame = this.#outer.length === 0 || this.#isReadAlone(info, source);
    const before = this.#top.content.at(-1);
    const node = isSame ? { ...settleTight(given, before) } : codeOf(source);
    if (node.attrs?.tight === true && before) this.#tight.push({ node, before });
    this.#hasDetails ||= endsDetails(node);
    this.#add(node);
    if (info === "linkDefinition") this.#definitions.add(node, this.#top.content);
  }

  // In a container some lines go on that would begin a block of their own anywhere else: such a construct is kept as code.
  // The reader that finds out asks no further.
  #isReadAlone(kind: string, source: string): boolean {
    if (this.#isProbe || kind === "html" || kind === "comment" || !source.includes("\n")) return true;
    const reader = new Reader({ tokenizer: this.#tokenizer });
    reader.#isProbe = true;
    const [node, ...others] = reader.read(source).content;
    if (others.length > 0 || node === undefined) return false;
    return node.type === "callout" || (node.attrs?.kind === kind && node.attrs.source === source);
  }

  #code(token: Token): void {
    const text = token.content.replace(/\n$/, "");
    const attrs = { language: cleanLine(this.unescape(token.info)).trim() || null };
    if (text === "") this.#add({ type: "codeBlock", attrs });
    else this.#add({ type: "codeBlock", attrs, content: [{ type: "text", text }] });
  }

  // A paragraph (a cell holds one too, as it does in an editor) or, after its opening token, a heading.
  #text(given: string): void {
    const level = this.#level;
    this.#level = 0;
    const content = level > 0 ? given : this.#withoutCallout(given);
    if (content === undefined) return;
    const [text, id] = (level > 0 && splitHeadingId(content)) || [
      level > 0 ? content : this.#withoutBox(content),
      null,
    ];
    const attrs = { level, id };
    if (text === "") this.#add(level > 0 ? { type: "heading", attrs } : { type: "paragraph" });
    else {
      const isDone = this.#tokenizer.isPlain(text);
      const nodes = isDone ? [{ type: "text", text }] : [];
      const block = level > 0 ? { type: "heading", attrs, content: nodes } : { type: "paragraph", content: nodes };
      this.#add(block);
      if (isDone) this.#count(1);
      else this.#waiting.push({ block, text, line: this.#line });
    }
  }

  // The text of a paragraph; "[!NOTE]" at the head of a quote makes that a callout. Undefined where no text is left.
  #withoutCallout(content: string): string | undefined {
    const quote = this.#top;
    if (!content.startsWith("[!") || quote.type !== "blockquote" || quote.content.length > 0) return content;
    const head = readCalloutHead(content);
    if (head === undefined) return content;
    quote.type = "callout";
    quote.attrs = head.attrs;
    if (head.length < content.length) this.#line++;
    return content.slice(head.length).replace(/^[ \t]+/, "") || undefined;
  }

  followsText(): boolean {
    const before = this.#top.content.at(-1);
    return before !== undefined && canBeTight("directive", before);
  }

  // The text of a paragraph; the box at the head of an item makes that a task.
  #withoutBox(content: string): string {
    const item = this.#top;
    let text = content;
    if (content.startsWith("[") && item.type === "listItem" && item.content.length === 0) {
      const box = TASK.exec(content);
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
