import { EMOJI_CODES, EMOJI_NAMES } from "./emoji-table.ts";

/** The longest name of the table, in characters. */
export const LONGEST_EMOJI_NAME = 40;

const LETTERS: { readonly [letter: string]: string } = {
  M: "\u200d\u2642\ufe0f",
  F: "\u200d\u2640\ufe0f",
  J: "\u200d",
  V: "\ufe0f",
  K: "\u20e3",
};

let names: Map<string, string> | undefined;

// A code is a letter of the table above, "~a" for a letter of a flag, or the distance to the code point before:
// "Z" none, "N" one, and "+" or "-" with a number in base 36.
function unpack(): Map<string, string> {
  const table = new Map<string, string>();
  const lists = EMOJI_NAMES.split(" ");
  let code = 0;
  EMOJI_CODES.split(" ").forEach((codes, index) => {
    const emoji = codes.replace(/~?[A-Za-z]|[+-][0-9a-z]+/g, (part) => {
      if (part.startsWith("~")) return String.fromCodePoint(0x1f1e6 + part.charCodeAt(1) - 97);
      const letter = LETTERS[part];
      if (letter !== undefined) return letter;
      code += part === "Z" ? 0 : part === "N" ? 1 : Number.parseInt(part, 36);
      return String.fromCodePoint(code);
    });
    for (const name of lists[index]?.split(",") ?? []) table.set(name, emoji);
  });
  return table;
}

/** Every shortcode with its emoji, without the colons: GitHub's 1,913 names. */
export function emojiNames(): ReadonlyMap<string, string> {
  names ??= unpack();
  return names;
}

/** The emoji that a shortcode stands for: `emojiFor("smile")` is `"😄"`; undefined where there is none. */
export function emojiFor(name: string): string | undefined {
  return emojiNames().get(name);
}
