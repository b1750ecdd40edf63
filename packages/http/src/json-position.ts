/** Where a text stops being JSON. */
export type JsonFault = { offset: number; line: number; column: number };

const space = /[ \t\r\n]*/y;
const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Finds the place of a syntax error in a text that `JSON.parse` rejected: its message names no place for some errors
 * and quotes the text for others. Does not recurse, so deeply nested text cannot exhaust the stack.
 */
export function findJsonFault(text: string): JsonFault {
  const offset = faultOffset(text);
  let line = 1;
  let lastBreak = -1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
    lastBreak = at;
  }
  return { offset, line, column: offset - lastBreak };
}

type Expecting = "value" | "first-item" | "first-key" | "key" | "after";

function faultOffset(text: string): number {
  const open: ("[" | "{")[] = [];
  let at = 0;
  let expecting: Expecting = "value";

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const takeString = (): boolean => {
    const end = text[at] === '"' ? stringEnd(text, at + 1) : -1;
    if (end < 0) return false;
    at = end;
    return true;
  };
  const close = (bracket: string | undefined): boolean => {
    const opened = open.at(-1);
    if (!((bracket === "]" && opened === "[") || (bracket === "}" && opened === "{"))) return false;
    open.pop();
    at += 1;
    expecting = "after";
    return true;
  };

  for (;;) {
    take(space);
    const character = text[at];
    if (expecting === "after") {
      if (open.length === 0 || character === undefined) return at;
      if (close(character)) continue;
      if (character !== ",") return at;
      at += 1;
      expecting = open.at(-1) === "{" ? "key" : "value";
    } else if (expecting === "key" || expecting === "first-key") {
      if (expecting === "first-key" && close(character)) continue;
      if (!takeString()) return at;
      take(space);
      if (text[at] !== ":") return at;
      at += 1;
      expecting = "value";
    } else {
      if (expecting === "first-item" && close(character)) continue;
      if (character === "[" || character === "{") {
        open.push(character);
        at += 1;
        expecting = character === "[" ? "first-item" : "first-key";
      } else if (take(word) || takeString()) expecting = "after";
      else return at;
    }
  }
}

/**
 * Returns the offset after the closing quote; -1 for an invalid string, whose fault is reported at its opening quote. Reads
 * characters one by one, because a body may be one string of megabytes.
 */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; ) {
    const character = text[at] ?? "";
    if (character === '"') return at + 1;
    if (character < " ") return -1;
    if (character === "\\") {
      escapeSequence.lastIndex = at;
      if (!escapeSequence.test(text)) return -1;
      at = escapeSequence.lastIndex;
    } else at += 1;
  }
  return -1;
}
