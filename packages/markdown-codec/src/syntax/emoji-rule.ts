import type { StateInline } from "markdown-it";
import type { InlineRule } from "./rule.ts";

/** Finds the emoji that a shortcode without its colons stands for. */
export type EmojiLookup = (name: string) => string | undefined;

const SHORTCODE = /(?<![A-Za-z0-9]):([a-z0-9_+-]{1,40}):(?![A-Za-z0-9])/y;
const ANY_SHORTCODE = new RegExp(SHORTCODE.source);

/**
 * The emoji of the shortcode `:name:` that begins at `start`, or undefined. No letter or digit touches it from outside,
 * so that "10:100:20" stays a time.
 */
export function emojiAt(src: string, start: number, emojiFor: EmojiLookup): string | undefined {
  SHORTCODE.lastIndex = start;
  return emojiFor(SHORTCODE.exec(src)?.[1] ?? "");
}

/** True where a text may hold the shortcode of an emoji. */
export function mayHoldShortcode(text: string): boolean {
  return ANY_SHORTCODE.test(text);
}

/** `:smile:` becomes its emoji. No emoticons: `:/` and `8-)` are prose. */
export function emojiRule(emojiFor: EmojiLookup): InlineRule {
  return (state: StateInline, silent: boolean): boolean => {
    if (state.src.charCodeAt(state.pos) !== 0x3a) return false;
    const found = emojiAt(state.src, state.pos, emojiFor);
    if (found === undefined) return false;
    if (!silent) state.pending += found;
    state.pos = SHORTCODE.lastIndex;
    return true;
  };
}
