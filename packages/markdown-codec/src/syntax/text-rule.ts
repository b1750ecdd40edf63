import type { StateInline } from "markdown-it";
import { mayHoldAddress } from "../bare-addresses.ts";

// The signs of markup, and among them those that are only with what follows.
const SIGNS = "\\n!$&*+:<=[\\\\\\]^_`~";
const FOLLOWING: { readonly [sign: string]: RegExp } = { "!": /\[/, $: /\S/, "+": /\+/, "=": /=/, ":": /[a-z0-9+/-]/ };

/** Knows text in which nothing can begin markup. */
export interface TextRule {
  /**
   * Takes plain text up to the next character that can begin markup. markdown-it's own rule stops at 23 characters and
   * then asks every other rule; this one looks one character further and stops far less often.
   */
  text(state: StateInline, silent: boolean): boolean;
  /** True for a line of text in which nothing can begin markup. */
  isPlain(src: string): boolean;
}

/** Returns the rule for text where these characters can begin markup, too. */
export function textRule(added = ""): TextRule {
  const sign = new RegExp(`[${SIGNS}${added}]`, "g");
  const plainEnd = (src: string, start: number): number => {
    sign.lastIndex = start;
    while (sign.test(src)) {
      const end = sign.lastIndex;
      const following = FOLLOWING[src.charAt(end - 1)];
      if (following === undefined || following.test(src.charAt(end))) return end - 1;
    }
    return src.length;
  };
  return {
    text(state, silent): boolean {
      const end = Math.min(plainEnd(state.src, state.pos), state.posMax);
      if (end === state.pos) return false;
      if (!silent) state.pending += state.src.slice(state.pos, end);
      state.pos = end;
      return true;
    },
    isPlain: (src) => plainEnd(src, 0) === src.length && !mayHoldAddress(src),
  };
}
