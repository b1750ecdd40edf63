import type { StateInline } from "markdown-it";

const ALWAYS = 1;
const PAIR = 2;
const BEFORE_BRACKET = 3;
const BEFORE_NAME = 4;

// The characters at which another rule may have something to say, and what must follow for that.
const STOPS = new Uint8Array(128);
for (const char of "\n&*<[\\]^_`~") STOPS[char.charCodeAt(0)] = ALWAYS;
for (const char of "=+") STOPS[char.charCodeAt(0)] = PAIR;
STOPS["!".charCodeAt(0)] = BEFORE_BRACKET;
STOPS[":".charCodeAt(0)] = BEFORE_NAME;

function startsEmojiName(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 43 || code === 45;
}

function stopsAt(src: string, pos: number): boolean {
  const code = src.charCodeAt(pos);
  if (code > 127) return false;
  switch (STOPS[code]) {
    case ALWAYS:
      return true;
    case PAIR:
      return src.charCodeAt(pos + 1) === code || src.charCodeAt(pos - 1) === code;
    case BEFORE_BRACKET:
      return src.charCodeAt(pos + 1) === 91;
    case BEFORE_NAME:
      return startsEmojiName(src.charCodeAt(pos + 1));
    default:
      return false;
  }
}

/** True for a line of text in which nothing can begin markup. */
export function isPlain(src: string): boolean {
  return plainEnd(src, 0, src.length) === src.length;
}

function plainEnd(src: string, start: number, max: number): number {
  let pos = start;
  while (pos < max && !stopsAt(src, pos)) pos++;
  return pos;
}

/**
 * Takes plain text up to the next character that can begin markup. markdown-it's own rule stops at 23 characters and
 * then asks every other rule; this one looks one character further and stops far less often.
 */
export function text(state: StateInline, silent: boolean): boolean {
  const { src } = state;
  const pos = plainEnd(src, state.pos, state.posMax);
  if (pos === state.pos) return false;
  if (!silent) state.pending += src.slice(state.pos, pos);
  state.pos = pos;
  return true;
}
