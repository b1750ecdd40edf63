import type { StateInline } from "markdown-it";
import { mayHoldAddress } from "../bare-addresses.ts";

// The signs of markup, and among them those that are only with what follows.
const SIGN = /[\n!$&*+:<=[\\\]^_`~]/g;
const FOLLOWING: { readonly [sign: string]: RegExp } = { "!": /\[/, $: /\S/, "+": /\+/, "=": /=/, ":": /[a-z0-9+-]/ };

function plainEnd(src: string, start: number): number {
  SIGN.lastIndex = start;
  while (SIGN.test(src)) {
    const end = SIGN.lastIndex;
    const following = FOLLOWING[src.charAt(end - 1)];
    if (following === undefined || following.test(src.charAt(end))) return end - 1;
  }
  return src.length;
}

/** True for a line of text in which nothing can begin markup. */
export function isPlain(src: string): boolean {
  return plainEnd(src, 0) === src.length && !mayHoldAddress(src);
}

/**
 * Takes plain text up to the next character that can begin markup. markdown-it's own rule stops at 23 characters and
 * then asks every other rule; this one looks one character further and stops far less often.
 */
export function text(state: StateInline, silent: boolean): boolean {
  const end = Math.min(plainEnd(state.src, state.pos), state.posMax);
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}
