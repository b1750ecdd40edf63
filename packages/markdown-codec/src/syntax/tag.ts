import type { StateInline, Token } from "markdown-it";

const IMAGE_TAG = /<img\s(?:[^<>]*\s)?src\s*=\s*["']?\s*data:/iy;

/** `<img src="data:…">` is only text here, but whoever wrote it meant an image: `finishInline` refuses it. */
export function imageTag(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== 0x3c) return false;
  IMAGE_TAG.lastIndex = state.pos;
  if (!IMAGE_TAG.test(state.src)) return false;
  state.push("image_tag", "", 0).content = "<";
  state.pos++;
  return true;
}

const MARK_OF_TAG: { readonly [tag: string]: string } = {
  strong: "bold",
  b: "bold",
  em: "italic",
  i: "italic",
  strike: "strike",
  s: "strike",
  del: "strike",
  mark: "highlight",
  sub: "subscript",
  sup: "superscript",
  u: "underline",
  ins: "underline",
};
const TAG = new RegExp(`<(/?)(${Object.keys(MARK_OF_TAG).join("|")})>|<br ?/?>`, "iy");

/** The whitelisted tags, without attributes. `<br>` is a break; the others wait for `pairTags`. */
export function tag(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  TAG.lastIndex = state.pos;
  const match = TAG.exec(state.src);
  if (match === null || state.pos + match[0].length > state.posMax) return false;
  if (!silent) {
    const name = match[2]?.toLowerCase();
    const token = state.push(name === undefined ? "hardbreak" : "tag", "", 0);
    token.content = match[0];
    token.info = match[1] ?? "";
    token.tag = MARK_OF_TAG[name ?? ""] ?? "br";
  }
  state.pos += match[0].length;
  return true;
}

type OpenTags = Map<string, Token[]>;

/**
 * Turns tags that have a partner into marks, and the others into the text that they are. A link is a wall: no pair
 * reaches into it or out of it.
 */
export function pairTags(tokens: readonly Token[]): void {
  const levels: OpenTags[] = [new Map()];
  for (const token of tokens) {
    if (token.type === "link_open") levels.push(new Map());
    else if (token.type === "link_close") levels.pop();
    else if (token.type === "tag") pairTag(token, levels.at(-1) ?? new Map());
  }
  for (const token of tokens) if (token.type === "tag") token.type = "text";
}

function pairTag(token: Token, open: OpenTags): void {
  const waiting = open.get(token.tag);
  if (token.info === "") {
    if (waiting === undefined) open.set(token.tag, [token]);
    else waiting.push(token);
    return;
  }
  const partner = waiting?.pop();
  if (partner === undefined) return;
  partner.type = `${token.tag}_open`;
  token.type = `${token.tag}_close`;
}
