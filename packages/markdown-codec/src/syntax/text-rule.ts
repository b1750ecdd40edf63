import type { StateInline } from "markdown-it";

// Where another rule may have something to say: a sign of markup, and for some of them what must follow.
const STOP = /(?=[\n&*<[\\\]^_`~]|([=+])\1|!\[|:[a-z0-9+-])/g;

function plainEnd(src: string, start: number): number {
  STOP.lastIndex = start;
  return STOP.test(src) ? STOP.lastIndex : src.length;
}

/** True for a line of text in which nothing can begin markup. */
export function isPlain(src: string): boolean {
  return plainEnd(src, 0) === src.length;
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
