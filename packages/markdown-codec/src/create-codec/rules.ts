import type { StateBlock, StateInline, Token } from "markdown-it";
import { take, textOf } from "../syntax/raw-block.ts";
import type { BlockRule, InlineRule } from "../syntax/rule.ts";
import { type Construct, LONGEST, type OwnMark } from "./construct.ts";

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
  readonly mark: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

const isSpace = (char: string): boolean => char === "" || /\s/.test(char);

/** The sign of a mark: a run of exactly that length. Which are pairs is for `pairMarkers` to say. */
export function markerRule({ name, delimiter }: OwnMark): InlineRule {
  const sign = delimiter.charAt(0);
  return (state, silent) => {
    const { src, pos, posMax } = state;
    if (silent || src.charAt(pos) !== sign) return false;
    let end = pos;
    while (end < posMax && src.charAt(end) === sign) end++;
    const token = state.push("text", "", 0);
    token.content = src.slice(pos, end);
    state.pos = end;
    if (end - pos !== delimiter.length || src.charAt(pos - 1) === sign) return true;
    const meta: Marker = { mark: name, canOpen: !isSpace(src.charAt(end)), canClose: !isSpace(src.charAt(pos - 1)) };
    token.meta = meta;
    return true;
  };
}

/** Makes raw constructs of the signs that begin and end a mark; the others are text. */
export function pairMarkers(state: StateInline): boolean {
  const open = new Map<string, Token>();
  for (const token of state.tokens) {
    const marker: Marker | null = token.type === "text" ? token.meta : null;
    if (marker === null) continue;
    const opener = open.get(marker.mark);
    if (opener && marker.canClose) {
      for (const end of [opener, token]) Object.assign(end, { type: "raw", info: marker.mark });
      open.delete(marker.mark);
    } else if (opener === undefined && marker.canOpen) open.set(marker.mark, token);
  }
  return true;
}
