import type { StateInline } from "markdown-it";
import { emojiFor, LONGEST_EMOJI_NAME } from "../emoji.ts";

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isNameCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 0x5f || code === 0x2b || code === 0x2d;
}

/**
 * The end (exclusive) of the shortcode `:name:` that begins at `start`, or -1. No letter or digit touches it from
 * outside, so that "10:100:20" stays a time.
 */
export function shortcodeEnd(src: string, start: number, max: number): number {
  if (src.charCodeAt(start) !== 0x3a || isAlphanumeric(src.charCodeAt(start - 1))) return -1;
  const last = Math.min(max, start + LONGEST_EMOJI_NAME + 2);
  let pos = start + 1;
  while (pos < last && isNameCode(src.charCodeAt(pos))) pos++;
  if (pos === start + 1 || pos >= last || src.charCodeAt(pos) !== 0x3a) return -1;
  if (pos + 1 < max && isAlphanumeric(src.charCodeAt(pos + 1))) return -1;
  return emojiFor(src.slice(start + 1, pos)) === undefined ? -1 : pos + 1;
}

/** `:smile:` becomes its emoji. No emoticons: `:/` and `8-)` are prose. */
export function emoji(state: StateInline, silent: boolean): boolean {
  const end = shortcodeEnd(state.src, state.pos, state.posMax);
  if (end === -1) return false;
  if (!silent) state.pending += emojiFor(state.src.slice(state.pos + 1, end - 1)) ?? "";
  state.pos = end;
  return true;
}
