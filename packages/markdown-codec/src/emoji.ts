import { EMOJI_TABLE } from "./emoji-table.ts";

/** The longest name of the table, in characters. */
export const LONGEST_EMOJI_NAME = 40;

let names: Map<string, string> | undefined;

// An entry is the emoji, then its names. "💯100" and "🔢1234" show why the split is not at the first ASCII character
// alone: keycaps ("1️⃣one") begin with a digit, so the cut is after the last character that is not ASCII.
function unpack(): Map<string, string> {
  const table = new Map<string, string>();
  for (const entry of EMOJI_TABLE.split(";")) {
    const cut = entry.search(/[ -~]*$/);
    const emoji = entry.slice(0, cut);
    for (const name of entry.slice(cut).split(",")) table.set(name, emoji);
  }
  return table;
}

/**
 * The Unicode emoji that a shortcode stands for (`emojiFor("smile")` is `"😄"`), without the colons;
 * undefined where there is none. The 1,913 names are GitHub's.
 */
export function emojiFor(name: string): string | undefined {
  names ??= unpack();
  return names.get(name);
}

/** Every shortcode with its emoji. */
export function emojiNames(): ReadonlyMap<string, string> {
  names ??= unpack();
  return names;
}
