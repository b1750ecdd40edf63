import type { StateInline, Token } from "markdown-it";

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
// An image tag with a data: URL is only text here, but whoever wrote it meant an image: it is refused.
const IMAGE = "<(?=img\\s(?:[^<>]*\\s)?src\\s*=\\s*[\"']?\\s*data:)";
const TAG = new RegExp(`<(/?)(${Object.keys(MARK_OF_TAG).join("|")})>|(<br ?/?>)|${IMAGE}`, "iy");

const MARK_TAG = new RegExp(`^(?:</?(?:${Object.keys(MARK_OF_TAG).join("|")})>|<br ?/?>)$`, "i");

/** True for a tag that is a mark or a break to this package. */
export function isMarkTag(source: string): boolean {
  return MARK_TAG.test(source);
}

/** The whitelisted tags, without attributes. `<br>` is a break; those of marks wait for `pairTags`. */
export function tag(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false;
  TAG.lastIndex = state.pos;
  const [whole, slash = "", name = "", br] = TAG.exec(state.src) ?? [];
  if (whole === undefined || state.pos + whole.length > state.posMax) return false;
  if (!silent) {
    const token = state.push(br ? "hardbreak" : name ? "tag" : "image_tag", "", 0);
    token.content = whole;
    token.info = slash;
    token.tag = MARK_OF_TAG[name.toLowerCase()] ?? "";
  }
  state.pos += whole.length;
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
