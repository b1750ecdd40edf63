import type { StateBlock } from "markdown-it";
import { calloutOfDirective } from "../callout.ts";
import type { Attrs } from "../types.ts";
import { type DirectiveEnd, environmentOf } from "./environment.ts";
import { HTML_BLOCKS, htmlCondition } from "./html.ts";
import { fenceAfter, OpenDirectives } from "./open-directives.ts";
import type { BlockRule } from "./rule.ts";

/** The text of a line without its indentation. */
export function textOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** The code of the first character of a line. */
export const firstCode = (state: StateBlock, line: number): number =>
  state.src.charCodeAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0));

const indentOf = (state: StateBlock, line: number): number => (state.sCount[line] ?? 0) - state.blkIndent;

/** Data of the token of a raw block. */
export interface RawMeta {
  /** No blank line stands before it. */
  readonly isTight: boolean;
}

// The column at which a block that begins on this line may not begin to the left of: a line that lies to the left of
// its container ends that container, and belongs to one further out.
const marginOf = (state: StateBlock, line: number): number => Math.min(state.blkIndent, state.sCount[line] ?? 0);

// True for a line that lies to the left of the margin.
const isOutside = (state: StateBlock, line: number, margin = state.blkIndent): boolean =>
  !state.isEmpty(line) && (state.sCount[line] ?? 0) < margin;

// The lines up to `end` as they are; the first one stands where the blocks around it say.
function sourceOf(state: StateBlock, line: number, end: number): string {
  return state.getLines(line, end, state.blkIndent, false).replace(/^[ \t\ufeff]+/, "");
}

const isHtml = (kind: string): boolean => kind === "html" || kind === "comment";

// The lines with their indentation as spaces: in a container a tab is as wide as its place says.
function sourceInSpaces(state: StateBlock, line: number, end: number): string {
  const lines: string[] = [];
  for (let at = line; at < end; at++) {
    const indent = at === line || state.isEmpty(at) ? 0 : Math.max(0, indentOf(state, at));
    lines.push(" ".repeat(indent) + textOf(state, at));
  }
  return lines.join("\n");
}

/** Pushes the lines up to `end` as a raw block. */
export function take(state: StateBlock, line: number, end: number, kind: string): boolean {
  const meta: RawMeta = { isTight: line > 0 && !state.isEmpty(line - 1) };
  const token = state.push("raw", "raw", 0);
  token.info = kind;
  token.content = isHtml(kind) || state.level === 0 ? sourceOf(state, line, end) : sourceInSpaces(state, line, end);
  token.meta = meta;
  token.map = [line, end];
  state.line = end;
  return true;
}

const YAML = /^(?:#|---[ \t]*$|["'\p{L}\p{N}_.$-][^:]*:(?:[ \t]|$))/u;
const TOML = /^(?:#|\[|\+\+\+[ \t]*$|["'\p{L}\p{N}_.-]+[ \t]*=)/u;

/** Front matter at the very top, between lines of `---` (YAML) or `+++` (TOML). */
export function frontMatter(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (silent || line !== 0 || state.level > 0 || state.blkIndent > 0) return false;
  const [fence] = /^(?:---|\+\+\+)(?=[ \t]*$)/.exec(lineAt(state, 0)) ?? [];
  if (fence === undefined || !(fence === "---" ? YAML : TOML).test(lineAt(state, 1))) return false;
  for (let end = 1; end < endLine; end++) {
    if (lineAt(state, end).trimEnd() === fence) return take(state, line, end + 1, "frontMatter");
  }
  return false;
}

// The whole line, white space before it too.
function lineAt(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line] ?? 0, state.eMarks[line] ?? 0);
}

/** An HTML block. One whose end is missing is none: it would take all that follows. */
export function htmlBlock(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (indentOf(state, line) >= 4) return false;
  const condition = htmlCondition(textOf(state, line));
  const rule = HTML_BLOCKS[condition];
  // A tag on a line to the left of an item ends it, as it does on GitHub.
  if (rule === undefined || (silent && !rule.interrupts && !isOutside(state, line))) return false;
  const end = rule.end ? closedEnd(state, line, endLine, condition, rule.end) : blankEnd(state, line, endLine);
  if (end === -1) return false;
  if (silent) return true;
  return take(state, line, end, isComment(sourceOf(state, line, end).trimEnd()) ? "comment" : "html");
}

// True for what is one comment and nothing else.
function isComment(text: string): boolean {
  return text.startsWith("<!--") && text.indexOf("-->", 2) === text.length - 3;
}

function blankEnd(state: StateBlock, line: number, endLine: number): number {
  let end = line + 1;
  while (end < endLine && !state.isEmpty(end) && !isOutside(state, end)) end++;
  return end;
}

function closedEnd(state: StateBlock, line: number, endLine: number, condition: number, close: RegExp): number {
  const { unclosed } = environmentOf(state);
  const margin = marginOf(state, line);
  const key = margin * HTML_BLOCKS.length + condition;
  if (line < (unclosed.get(key) ?? -1)) return -1;
  let end = line;
  for (; end < endLine && !isOutside(state, end, margin); end++) {
    if (close.test(textOf(state, end))) return end + 1;
  }
  // Nothing up to there ends such a block: who begins one on the way need not look again.
  unclosed.set(key, end);
  return -1;
}

const OPENING = /^(:{2,})[ \t]*([A-Za-z][\w-]*)/;
const CLOSING = /^(:{3,})[ \t]*$/;

/** `:::name … :::` with all that lies inside, or `::name` on a line of its own. */
export function directive(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (indentOf(state, line) >= 4) return false;
  const [, colons = ""] = OPENING.exec(textOf(state, line)) ?? [];
  if (colons.length < 2) return false;
  const end = colons.length === 2 ? leafEnd(state, line) : containerEnd(state, line, endLine);
  if (end === -1) return false;
  if (silent) return true;
  const attrs = colons.length > 2 ? calloutAt(state, line, end) : undefined;
  return attrs ? readCallout(state, line, end, attrs) : take(state, line, end, "directive");
}

// A callout after text without a blank line between is kept as it is: most readers take it for that text.
function calloutAt(state: StateBlock, line: number, end: number): Attrs | undefined {
  if (line > 0 && !state.isEmpty(line - 1) && environmentOf(state).followsText()) return undefined;
  const isTight = end === line + 2 || !state.isEmpty(line + 1);
  // Text that is set in right below the colons would be code in a callout, and goes on their line for most readers.
  if (isTight && end > line + 2 && indentOf(state, line + 1) >= 4) return undefined;
  if (end > line + 2 && isTight === state.isEmpty(end - 2)) return undefined;
  return calloutOfDirective(textOf(state, line), isTight);
}

function readCallout(state: StateBlock, line: number, end: number, attrs: Attrs): boolean {
  const { parentType, lineMax } = state;
  const open = state.push("callout_open", "callout", 1);
  open.meta = attrs;
  open.map = [line, line];
  state.parentType = "root";
  state.lineMax = end - 1;
  shareEnds(state, line, () => state.md.block.tokenize(state, line + 1, end - 1));
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.push("callout_close", "callout", -1);
  state.line = end;
  return true;
}

// The search for the end of a callout has found the ends of the directives in it, too.
function shareEnds(state: StateBlock, line: number, read: () => void): void {
  const { directives } = environmentOf(state);
  const inside = placeOf(state, line);
  const own = directives.get(inside);
  const around = directives.get(inside - 1);
  if (around?.get(line)?.isForInside) directives.set(inside, around);
  read();
  if (own) directives.set(inside, own);
  else directives.delete(inside);
}

const placeOf = (state: StateBlock, line: number): number => marginOf(state, line) * 1_000 + state.level;

const LEAF = /^::[A-Za-z][\w-]*(?:\[[^[\]\n]*\])?(?:\{[^{}\n]*\})?[ \t]*$/;

function leafEnd(state: StateBlock, line: number): number {
  return LEAF.test(textOf(state, line)) ? line + 1 : -1;
}

// A line of colons ends the directive with as many, or the innermost with fewer. The findings of one search about the
// directives inside are kept: each line is looked at once for each level of containers that are no callouts.
function containerEnd(state: StateBlock, line: number, endLine: number): number {
  const margin = marginOf(state, line);
  const ends = endsAt(environmentOf(state).directives, placeOf(state, line));
  const known = ends.get(line);
  if (known !== undefined && known.end <= endLine) return known.end;
  const found = new Map<number, number>();
  const open = new OpenDirectives(found);
  let isForInside = true;
  let fence = "";
  for (let end = line; end < endLine && !isOutside(state, end, margin); end++) {
    const text = textOf(state, end);
    fence = fenceAfter(fence, text);
    if (!text.startsWith(":") || indentOf(state, end) >= 4) continue;
    const [, closing = ""] = CLOSING.exec(text) ?? [];
    // In code colons are code, but for four or more that are as many as those of the first line.
    if (fence !== "" && closing.length > 3) isForInside = false;
    if (fence !== "" && !open.isOutermost(closing.length)) continue;
    const [, opening = ""] = OPENING.exec(text) ?? [];
    if (opening.length > 2) open.push(end, opening.length);
    else if (closing !== "") open.close(end, closing.length);
    if (open.isEmpty) break;
  }
  open.giveUp();
  for (const [begin, end] of found) ends.set(begin, { end, isForInside });
  return found.get(line) ?? -1;
}

function endsAt(places: Map<number, Map<number, DirectiveEnd>>, place: number): Map<number, DirectiveEnd> {
  const ends = places.get(place) ?? new Map<number, DirectiveEnd>();
  places.set(place, ends);
  return ends;
}

/** A term, and below it `: definition`; lines that are indented or follow without a blank line belong to it. */
export function definitionList(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (silent || line + 1 >= endLine || firstCode(state, line + 1) !== 0x3a) return false;
  if (!isDefinition(state, line + 1) || isDefinition(state, line)) return false;
  if (!/^\S/.test(textOf(state, line))) return false;
  let end = line + 2;
  for (let next = end; next < endLine && !isOutside(state, next); next++) {
    if (state.isEmpty(next)) continue;
    const isLazy = next === end && !interrupts(state, next, endLine);
    if (!isLazy && !isDefinition(state, next) && indentOf(state, next) < 2) break;
    end = next + 1;
  }
  return take(state, line, end, "definitionList");
}

function interrupts(state: StateBlock, line: number, endLine: number): boolean {
  return state.md.block.ruler.getRules("paragraph").some((rule) => rule(state, line, endLine, true));
}

function isDefinition(state: StateBlock, line: number): boolean {
  if (firstCode(state, line) !== 0x3a) return false;
  const indent = indentOf(state, line);
  return indent >= 0 && indent < 4 && /^:[ \t]+\S/.test(textOf(state, line));
}

/** The definition of a link, kept until it is known whether anything uses it. `reference` is markdown-it's rule. */
export function linkDefinition(reference: BlockRule): BlockRule {
  return (state, line, endLine, silent) => {
    if (!reference(state, line, endLine, silent)) return false;
    if (silent) return true;
    const isLazy = hasLineOutside(state, line + 1, state.line);
    take(state, line, state.line, "linkDefinition");
    const token = state.tokens.at(-1);
    // A line to the left of its container would begin a block of its own elsewhere: the definition is one line then.
    if (isLazy && token) token.content = token.content.replace(/[ \t]*\n[ \t]*/g, " ");
    return true;
  };
}

function hasLineOutside(state: StateBlock, start: number, end: number): boolean {
  for (let line = start; line < end; line++) if (isOutside(state, line)) return true;
  return false;
}
