import type { StateBlock, StateInline, Token } from "markdown-it";
import { take, textOf } from "../syntax/raw-block.ts";
import type { BlockRule, InlineRule } from "../syntax/rule.ts";
import type { Construct } from "./construct.ts";
import type { OwnMark } from "./own-mark.ts";
import { LONGEST } from "./translate.ts";

/** A construct within a line. A source that is not this node, and one without its end, is text. */
export function inlineRule(construct: Construct): InlineRule {
  const { name, open, close } = construct;
  return (state, silent) => {
    if (!state.src.startsWith(open, state.pos)) return false;
    const start = state.pos + open.length;
    const rest = state.src.slice(start, Math.min(start + LONGEST + close.length, state.posMax));
    const end = rest.indexOf(close);
    const attrs = end === -1 || rest.lastIndexOf("\n", end) !== -1 ? undefined : construct.attrsOf(rest.slice(0, end));
    const source = attrs && construct.sourceOf(attrs);
    if (typeof source !== "string") return false;
    if (!silent) pushRaw(state, name, open + source + close);
    state.pos = start + end + close.length;
    return true;
  };
}

function pushRaw(state: StateInline, kind: string, source: string): void {
  const token = state.push("raw", "", 0);
  token.info = kind;
  token.content = source;
}

/** A block of one line. It ends no paragraph. */
export function lineRule(construct: Construct): BlockRule {
  const { name, open } = construct;
  return (state: StateBlock, line, _endLine, silent) => {
    const text = textOf(state, line);
    if (silent || !text.startsWith(open) || text.length > LONGEST + open.length) return false;
    const attrs = construct.attrsOf(text.slice(open.length).trimEnd());
    const source = attrs && construct.sourceOf(attrs);
    if (typeof source !== "string") return false;
    take(state, line, line + 1, name);
    const token = state.tokens.at(-1);
    if (token) token.content = open + source;
    return true;
  };
}

/** What the sign of a mark can be where it stands. */
interface Marker {
  readonly mark: OwnMark;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** The source in braces, which is the text of the next token; undefined where none follows. */
  readonly source?: string | undefined;
}

const isSpace = (char: string): boolean => char === "" || /\s/.test(char);

/**
 * The sign of a mark: a run of exactly that length, or of twice that length where one mark ends and the next begins. Which are
 * pairs is for `pairMarkers` to say.
 */
export function markerRule(mark: OwnMark): InlineRule {
  const { delimiter, hasSource } = mark;
  const sign = delimiter.charAt(0);
  return (state, silent) => {
    const { src, pos, posMax } = state;
    if (src.charAt(pos) !== sign) return false;
    let end = pos;
    while (end < posMax && src.charAt(end) === sign) end++;
    const isRun = src.charAt(pos - 1) !== sign;
    const isOne = isRun && end - pos === delimiter.length;
    const isTwo = isRun && end - pos === 2 * delimiter.length;
    const source = isOne || isTwo ? mark.sourceAt(src.slice(end, posMax)) : undefined;
    const next = end + (source?.length ?? 0);
    if (silent) {
      if (source === undefined) return false;
      state.pos = next;
      return true;
    }
    const canClose = !isSpace(src.charAt(pos - 1));
    const canOpen = hasSource === (source !== undefined) && !isSpace(src.charAt(next));
    if (isTwo && source !== undefined) push(state, delimiter, { mark, canOpen: false, canClose });
    if (isOne || source !== undefined) push(state, delimiter, { mark, canOpen, canClose, source });
    else push(state, src.slice(pos, end));
    if (source !== undefined) push(state, source);
    state.pos = next;
    return true;
  };
}

function push(state: StateInline, content: string, meta?: Marker): void {
  const token = state.push("text", "", 0);
  token.content = content;
  if (meta) token.meta = meta;
}

/** Makes raw constructs of the signs that begin and end a mark; the others are text. */
export function pairMarkers({ tokens }: StateInline): boolean {
  const open = new Map<OwnMark, number>();
  tokens.forEach((token, index) => {
    const marker: Marker | null = token.type === "text" ? token.meta : null;
    if (marker === null) return;
    const opener = open.get(marker.mark);
    if (opener !== undefined && marker.canClose) {
      begin(tokens, opener, marker.mark);
      Object.assign(token, { type: "raw", info: marker.mark.name });
      open.delete(marker.mark);
    } else if (opener === undefined && marker.canOpen) open.set(marker.mark, index);
  });
  return true;
}

// The source belongs to the sign before it.
function begin(tokens: Token[], index: number, { name, delimiter }: OwnMark): void {
  const token = tokens[index];
  const marker: Marker | null = token?.meta ?? null;
  const after = marker?.source === undefined ? undefined : tokens[index + 1];
  if (token) Object.assign(token, { type: "raw", info: name, content: delimiter + (marker?.source ?? "") });
  if (after) after.content = "";
}
