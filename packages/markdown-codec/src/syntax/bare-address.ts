import { addressLength, beginsAddress } from "../bare-addresses.ts";
import { lines } from "./markdown-it.ts";
import type { InlineRule } from "./rule.ts";

const SCHEME = /https?$/i;
// Markup that ends an address to all readers, and the signs that some read as markup around one.
const END = /[\s<[\]`*]/g;
const INNER = /[\p{L}\p{N}/]/u;

/** In the rest of a bare address all signs are text: `https://example.org/?a==b&c==d`. */
export const bareAddress: InlineRule = (state, silent) => {
  const { src, pos, posMax } = state;
  if (!src.startsWith("://", pos)) return false;
  const [scheme] = SCHEME.exec(src.slice(Math.max(0, pos - 5), pos)) ?? [];
  if (scheme === undefined || !beginsAddress(src, pos - scheme.length)) return false;
  END.lastIndex = pos;
  const wordEnd = Math.min(END.test(src) ? END.lastIndex - 1 : src.length, posMax);
  const word = src.slice(pos, wordEnd);
  let length = addressLength(word);
  while (length > 0 && !INNER.test(word.charAt(length - 1))) length--;
  if (length === 0) return false;
  const end = pos + length;
  while (state.pos < end) {
    if (lines.entity(state, silent) || lines.backslash(state, silent)) continue;
    if (!silent) state.pending += src.charAt(state.pos);
    state.pos++;
  }
  return true;
};
