import { writeCalloutHead } from "../callout.ts";
import type { Labels } from "../label.ts";
import { writeDetailsHead } from "../normal/details.ts";
import { extension } from "../syntax/extension.ts";
import { splitHeadingId } from "../syntax/heading-id.ts";
import type { Attrs, EmitOptions, NodeJSON } from "../types.ts";
import { escapePipes } from "./escape.ts";
import { colonsBeyond, writeCode } from "./fence.ts";
import { guardLines } from "./guard.ts";
import { type InlineStyle, writeInline } from "./inline.ts";
import { areOneFamily, hasNoText, isEmptyParagraph, isTight } from "./list.ts";
import { markForms, SIGNS, TAGS } from "./marks.ts";
import type { InlineKind, ReaderAccess } from "./reader-access.ts";

const NOTHING: readonly NodeJSON[] = [];
// Where the short forms do not read back: tags, and if need be every sign as an entity.
const TAGGED: InlineStyle = { marks: TAGS, strict: false };
const STRICT: InlineStyle = { marks: TAGS, strict: true };
const STYLES: readonly InlineStyle[] = [{ marks: SIGNS, strict: false }, TAGGED, STRICT];
const childrenOf = (node: NodeJSON): readonly NodeJSON[] => node.content ?? NOTHING;

/** Blocks that stand below each other: the last one, and its marker if it is a list. */
interface Row {
  before: NodeJSON | undefined;
  marker: string | undefined;
}

/** Properties of a list's position that decide its markers. */
interface Neighbours {
  /** The marker of the list of the same family directly before: another one keeps the two apart. */
  readonly before: string | undefined;
  /** The bullet of the item whose line this list shares. */
  readonly around: string | undefined;
}

/** Writes blocks in normal form line by line. */
export class BlockWriter {
  readonly out: string[] = [];
  /** The blocks of the top level. */
  readonly row: Row = { before: undefined, marker: undefined };
  #first: string | undefined;
  #rest = "";
  readonly #labels: Labels;
  readonly #reader: ReaderAccess;
  readonly #styles: readonly InlineStyle[];
  readonly #bullets: readonly [string, string];

  constructor(labels: Labels, reader: ReaderAccess, emit?: EmitOptions) {
    this.#labels = labels;
    const { signs } = extension() ?? {};
    this.#reader = signs ? { ...reader, signs } : reader;
    this.#styles = emit ? [{ marks: markForms(emit), strict: false }, TAGGED, STRICT] : STYLES;
    const bullet = emit?.bullet ?? "-";
    this.#bullets = [bullet, bullet === "-" ? "*" : "-"];
  }

  /** Writes a block of the top level. */
  add(node: NodeJSON): void {
    this.#next(this.row, node);
  }

  // The blocks of a container. `around` is the bullet on whose line they begin.
  #blocks(nodes: readonly NodeJSON[], around?: string, tight = false): void {
    const row: Row = { before: undefined, marker: undefined };
    for (const node of nodes) this.#next(row, node, nodes.length === 1, around, tight);
  }

  // The next block of a row, after a blank line.
  #next(row: Row, node: NodeJSON, isOnly = false, around?: string, tight = false): void {
    if (row.before && !tight && node.attrs?.tight !== true) this.#line("");
    const before = areOneFamily(row.before, node) ? row.marker : undefined;
    row.marker = this.#block(node, { before, around: row.before ? undefined : around }, isOnly);
    row.before = node;
  }

  #line(text: string): void {
    const prefix = this.#first ?? this.#rest;
    this.#first = undefined;
    this.out.push(text === "" ? prefix.trimEnd() : prefix + text);
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) this.#line(line);
  }

  // Returns the marker of the list that it wrote, if it wrote one.
  #block(node: NodeJSON, neighbours: Neighbours, isOnly: boolean): string | undefined {
    switch (node.type) {
      case "paragraph":
        this.#paragraph(node, isOnly ? "" : "&nbsp;");
        break;
      case "heading":
        this.#heading(node);
        break;
      case "blockquote":
        this.#container("> ", "> ", () => this.#blocks(childrenOf(node)));
        break;
      case "callout":
        this.#callout(node);
        break;
      case "details":
        this.#details(node);
        break;
      case "blockMath":
        this.#math(node);
        break;
      case "bulletList":
      case "taskList":
        return this.#bulletList(node, neighbours);
      case "orderedList":
        return this.#orderedList(node, neighbours);
      case "codeBlock":
        this.#code(node);
        break;
      case "table":
        this.#table(node);
        break;
      case "footnoteDefinition":
        this.#footnote(node);
        break;
      case "rawBlock":
        this.#lines(String(node.attrs?.source).split("\n"));
        break;
      default:
        this.#line(this.#rule(neighbours));
    }
    return undefined;
  }

  // At the very top "---" begins front matter for many readers; on the line of a bullet it would be a longer rule.
  #rule({ around }: Neighbours): string {
    if (around !== undefined) return "___";
    return this.out.length === 0 && this.#first === undefined && this.#rest === "" ? "***" : "---";
  }

  #callout(node: NodeJSON): void {
    const { attrs = {} } = node;
    if (typeof attrs.fence === "string") {
      this.#directive(node, attrs);
      return;
    }
    const blocks = childrenOf(node);
    const [head] = blocks;
    this.#container("> ", "> ", () => {
      this.#line(writeCalloutHead(attrs));
      if (head === undefined || hasNoText(blocks)) return;
      const canFollow = head.type === "paragraph" && !isEmptyParagraph(head) && !String(attrs.title).includes("|");
      if (!canFollow) this.#line("");
      this.#blocks(blocks);
    });
  }

  // The colons are one more than anywhere inside: no line there ends the directive.
  #directive(node: NodeJSON, { kind, title, fence }: Attrs): void {
    const blocks = childrenOf(node);
    const isEmpty = hasNoText(blocks);
    const text = `:::${kind}${typeof title === "string" ? `[${title}]` : ""}`;
    this.#line(text);
    const opening = this.out.length - 1;
    if (fence === "loose") this.#line("");
    if (!isEmpty) this.#blocks(blocks);
    const colons = colonsBeyond(this.out, opening + 1, this.#rest.length);
    if (fence === "loose" && !isEmpty) this.#line("");
    this.#line(`:::${colons}`);
    const line = this.out[opening] ?? "";
    this.out[opening] = line.slice(0, line.length - text.length) + colons + text;
  }

  #details(node: NodeJSON): void {
    const blocks = childrenOf(node);
    this.#lines(writeDetailsHead(node.attrs ?? {}));
    this.#line("");
    if (!hasNoText(blocks)) {
      this.#blocks(blocks);
      this.#line("");
    }
    this.#line("</details>");
  }

  #math(node: NodeJSON): void {
    const latex = String(node.attrs?.latex ?? "");
    this.#line("$$");
    if (latex !== "") this.#lines(latex.split("\n"));
    this.#line("$$");
  }

  #container(first: string, rest: string, write: () => void): void {
    const before = this.#rest;
    this.#first = (this.#first ?? before) + first;
    this.#rest = before + rest;
    write();
    this.#first = undefined;
    this.#rest = before;
  }

  #paragraph(node: NodeJSON, empty: string): void {
    const nodes = childrenOf(node);
    if (nodes.length === 0) this.#line(empty);
    else this.#lines(this.#inline(nodes, "paragraph"));
  }

  #heading(node: NodeJSON): void {
    const nodes = childrenOf(node);
    let text = nodes.length === 0 ? "" : ` ${this.#inline(nodes, "heading").join("")}`;
    // An apparent id at the end of the text is text.
    if (splitHeadingId(text) !== null) text = `${text.slice(0, -1)}&#125;`;
    const id = node.attrs?.id;
    this.#line("#".repeat(Number(node.attrs?.level ?? 1)) + text + (typeof id === "string" ? ` {#${id}}` : ""));
  }

  #inline(nodes: readonly NodeJSON[], kind: InlineKind): string[] {
    let lines: string[] = [];
    for (const style of this.#styles) {
      const result = writeInline(nodes, kind, style, this.#reader);
      lines = kind === "paragraph" ? guardLines(result.lines) : result.lines;
      const { readsAs } = this.#reader;
      if (result.certain) return lines;
      if (result.portable && readsAs?.(lines, kind, nodes, this.#labels)) return lines;
    }
    return lines;
  }

  #bulletList(list: NodeJSON, { before, around }: Neighbours): string {
    const [preferred, other] = this.#bullets;
    const bullet = (before ?? around) === preferred ? other : preferred;
    this.#items(list, () => bullet);
    return bullet;
  }

  #orderedList(list: NodeJSON, { before }: Neighbours): string {
    const delimiter = before === "." ? ")" : ".";
    const start = Number(list.attrs?.start ?? 1);
    this.#items(list, (index) => Math.min(start + index, 999_999_999) + delimiter);
    return delimiter;
  }

  #items(list: NodeJSON, markerOf: (index: number) => string): void {
    const tight = isTight(list);
    childrenOf(list).forEach((item, index) => {
      if (index > 0 && !tight) this.#line("");
      const marker = markerOf(index);
      this.#container(`${marker} `, " ".repeat(marker.length + 1), () => this.#item(item, marker, tight));
    });
  }

  #item(item: NodeJSON, marker: string, tight: boolean): void {
    const [head, ...others] = childrenOf(item);
    const next = others[0];
    if (item.type === "taskItem") {
      this.#first += item.attrs?.checked === true ? "[x] " : "[ ] ";
      if (head !== undefined) this.#paragraph(head, "");
    } else if (head === undefined || (isEmptyParagraph(head) && next !== undefined && next.type !== "paragraph")) {
      this.#blocks(others, marker);
      return;
    } else this.#paragraph(head, next === undefined ? "" : "&nbsp;");
    if (next === undefined) return;
    if (!tight && next.attrs?.tight !== true) this.#line("");
    // None of them is the only block of the item, so an empty paragraph is always written out.
    if (hasNoText(others)) this.#line("&nbsp;");
    else this.#blocks(others, undefined, tight);
  }

  #footnote(node: NodeJSON): void {
    const label = `[^${node.attrs?.label}]:`;
    const blocks = childrenOf(node);
    const [head] = blocks;
    const onNextLine = head !== undefined && head.type !== "paragraph";
    if (onNextLine) this.#line(label);
    this.#container(onNextLine ? "    " : `${label} `, "    ", () => this.#blocks(blocks));
  }

  #code(node: NodeJSON): void {
    this.#lines(writeCode(childrenOf(node)[0]?.text ?? "", String(node.attrs?.language ?? "")));
  }

  #table(node: NodeJSON): void {
    childrenOf(node).forEach((row, index) => {
      const cells = childrenOf(row).map((cell) => this.#cell(cell));
      this.#line(`| ${cells.join(" | ")} |`);
      if (index === 0) this.#line(`| ${childrenOf(row).map(delimiterCell).join(" | ")} |`);
    });
  }

  #cell(cell: NodeJSON): string {
    const nodes = cell.content?.[0]?.content ?? NOTHING;
    return nodes.length === 0 ? "" : escapePipes(this.#inline(nodes, "cell").join(""));
  }
}

const DELIMITER_CELLS: { readonly [align: string]: string } = { left: ":--", center: ":-:", right: "--:" };

function delimiterCell(cell: NodeJSON): string {
  return DELIMITER_CELLS[String(cell.attrs?.align)] ?? "---";
}
