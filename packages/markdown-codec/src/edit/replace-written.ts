import { CodecError } from "../error.ts";
import type { Labels } from "../label.ts";
import { checkBytes, withDefaults } from "../limits.ts";
import { Reader } from "../read.ts";
import { theTokenizer } from "../syntax/the-tokenizer.ts";
import type { DocJSON, NodeJSON, ParseOptions } from "../types.ts";
import { canonicalLines } from "./canonical.ts";
import { footnotesWith } from "./footnotes.ts";
import { placeBlocks } from "./splice.ts";
import { type Written, writeBlocks } from "./written.ts";

/** A part of the Markdown of a document, and what comes in its place. */
export interface WrittenEdit {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Blocks of the top level that one or more edits touch: the first and the last one, and where that ends. */
interface Region {
  readonly first: number;
  last: number;
  end: number;
  readonly edits: WrittenEdit[];
}

/** The document after the edits, or the edits that would change more than the part that they name. */
export type Rewritten = { readonly doc: DocJSON } | { readonly failed: readonly WrittenEdit[] };

/**
 * Replaces parts of the Markdown of a document. Only the blocks that are touched are read again, by themselves: an open
 * fence cannot swallow what follows. An edit fails where what it does not name would become something else. The edits
 * are in order and do not overlap; `footnotes` are the labels that references may have.
 */
export function replaceWritten(
  doc: DocJSON,
  written: Written,
  edits: readonly WrittenEdit[],
  footnotes: ReadonlySet<string>,
  options: ParseOptions,
): Rewritten {
  const regions = regionsOf(doc, written, edits);
  const texts = regions.map((region) => textsOf(region, written, false).join(""));
  const labels = new Set([...footnotes, ...footnotesWith(doc, texts)]);
  const failed: WrittenEdit[] = [];
  let edited = doc;
  for (const region of regions.reverse()) {
    const read = (isApart: boolean): NodeJSON[] | undefined => {
      const blocks = readBlocks(textsOf(region, written, isApart), region.first === 0, labels, options);
      return keepsRest(region, written, blocks, labels) ? blocks : undefined;
    };
    const blocks = read(false) ?? read(true);
    if (blocks === undefined) failed.push(...region.edits);
    else edited = placeBlocks(edited, [], region.first, region.last - region.first + 1, blocks);
  }
  return failed.length > 0 ? { failed } : { doc: edited };
}

function regionsOf({ content }: DocJSON, { starts, ends }: Written, edits: readonly WrittenEdit[]): Region[] {
  const regions: Region[] = [];
  const isTight = (index: number): boolean => content[index]?.attrs?.tight === true;
  let block = 0;
  for (const edit of edits) {
    // The blank line after a block belongs to it.
    while (block + 1 < ends.length && (ends[block] ?? 0) + 1 < edit.start) block++;
    let first = block;
    while (isTight(first) && first > 0) first--;
    let last = block;
    while (last + 1 < starts.length && (starts[last + 1] ?? 0) <= edit.end) last++;
    while (isTight(last + 1)) last++;
    const end = Math.max(ends[last] ?? 0, edit.end);
    const region = regions.at(-1);
    if (region && first <= region.last) {
      region.last = Math.max(region.last, last);
      region.end = Math.max(region.end, end);
      region.edits.push(edit);
    } else regions.push({ first, last, end, edits: [edit] });
  }
  return regions;
}

/**
 * Alternates kept and inserted Markdown. `isApart` puts blank lines around whole lines, which could else
 * go on what stands above them, or be gone on with below.
 */
function textsOf({ first, end: regionEnd, edits }: Region, written: Written, isApart: boolean): readonly string[] {
  const { markdown, starts } = written;
  const parts: string[] = [];
  let at = starts[first] ?? 0;
  for (const { start, end, newText } of edits) {
    const text = indented(markdown, start, end, newText);
    const before = isApart && isLineStart(markdown, start) ? "\n" : "";
    const after = isApart && isLineEnd(markdown, end) ? "\n" : "";
    parts.push(markdown.slice(Math.min(at, start), start), before + text + after);
    at = end;
  }
  parts.push(markdown.slice(at, regionEnd));
  return parts;
}

const isLineStart = (markdown: string, at: number): boolean => at === 0 || markdown[at - 1] === "\n";
const isLineEnd = (markdown: string, at: number): boolean => markdown[at] === "\n" || isLineStart(markdown, at);

// Lines that are added to one line in a quote or an item stand there too, where the new text does not say it itself.
function indented(markdown: string, start: number, end: number, newText: string): string {
  if (!newText.includes("\n") || markdown.slice(start, end).includes("\n")) return newText;
  const line = markdown.slice(markdown.lastIndexOf("\n", start - 1) + 1, start);
  const [prefix = ""] = /^[ >]*/.exec(line) ?? [];
  const [head = "", ...others] = newText.split("\n");
  if (prefix === "" || others.every((other) => other === "" || other.startsWith(prefix.trimEnd() || prefix))) {
    return newText;
  }
  return [head, ...others.map((other) => (other === "" ? prefix.trimEnd() : prefix + other))].join("\n");
}

function readBlocks(parts: readonly string[], isTop: boolean, labels: Labels, options: ParseOptions): NodeJSON[] {
  const text = parts.join("");
  if (text.trim() === "") return [];
  const limits = withDefaults(options.limits);
  checkBytes(text, limits);
  try {
    // Front matter stands at the very top only.
    const reader = new Reader({
      tokenizer: theTokenizer(options.cjkFriendly),
      limits,
      addresses: text.length + Math.max(text.length, limits.refExpansion),
      known: labels,
    });
    return reader.read(isTop ? text : `\n${text}`).content;
  } catch (error) {
    // The line would be one of the part that was read.
    if (error instanceof CodecError) throw new CodecError(error.code, error.message);
    throw error;
  }
}

// The blocks, written again, have to hold what the edits leave: the lines before, between and after them, and the parts of
// lines that they begin and end in. White space at the edges of lines does not count.
function keepsRest(region: Region, { markdown, starts }: Written, blocks: NodeJSON[], labels: Labels): boolean {
  const from = starts[region.first] ?? 0;
  const lines = new OldLines(markdown.slice(from, region.end));
  const content = blocks.length > 0 ? blocks : [{ type: "paragraph" }];
  const now = textOfLines(canonicalLines(writeBlocks({ type: "doc", content }, labels).markdown));
  let kept = 0;
  let at = 0;
  let isLine = false;
  const isBreak = (place: number): boolean => place <= 0 || place >= now.length || now[place] === "\n";
  for (const { start, end, newText } of region.edits) {
    const part = lines.between(kept, start - from).trim();
    const found = kept === 0 ? 0 : now.indexOf(part, at);
    if (found === -1 || !now.startsWith(part, found)) return false;
    at = found + part.length;
    if (part !== "" && ((isLine && !isBreak(found - 1)) || (isLineStart(markdown, start) && !isBreak(at))))
      return false;
    kept = end - from;
    isLine = markdown[end] === "\n" || (isLineStart(markdown, end) && (newText === "" || newText.endsWith("\n")));
  }
  const last = lines.between(kept, region.end - from).trim();
  const rest = now.length - last.length;
  return now.endsWith(last) && rest >= at && (!isLine || last === "" || isBreak(rest - 1));
}

const textOfLines = (lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join("\n");

/** The lines of a part of the Markdown before the edits, in the form that is compared. */
class OldLines {
  readonly #text: string;
  readonly #lines: readonly (string | undefined)[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#lines = canonicalLines(text);
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** The Markdown between two places: whole lines as they are compared, parts of lines as they are. */
  between(from: number, to: number): string {
    const first = this.#lineAt(from);
    const last = this.#lineAt(to);
    const isWhole = from === this.#starts[first];
    if (first === last && !isWhole) return this.#text.slice(from, to);
    const head = isWhole ? [] : [this.#text.slice(from, (this.#starts[first + 1] ?? 0) - 1)];
    const middle = this.#lines.slice(isWhole ? first : first + 1, last);
    const cut = this.#text.slice(to, (this.#starts[last + 1] ?? this.#text.length + 1) - 1).length;
    const tail = this.#lines[last];
    const end = to === this.#starts[last] || tail === undefined ? "" : tail.slice(0, Math.max(0, tail.length - cut));
    return textOfLines([...head, ...middle, end].filter((line) => line !== ""));
  }

  // The last line that begins at this place or before.
  #lineAt(place: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle;
    }
    return low;
  }
}
