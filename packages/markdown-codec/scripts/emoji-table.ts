// Writes src/emoji-table.ts from gemoji, the list of names that GitHub uses: `pnpm emoji`.
// The table is ASCII (bundlers escape anything else, and gzip then loses) and sorted by code point, so that most
// entries say only how far they lie from the one before. See src/emoji.ts for the letters.
import { writeFileSync } from "node:fs";
import { nameToEmoji } from "gemoji";

const LETTERS = new Map([
  ["\u200d\u2642\ufe0f", "M"],
  ["\u200d\u2640\ufe0f", "F"],
  ["\u200d", "J"],
  ["\ufe0f", "V"],
  ["\u20e3", "K"],
]);
const FIRST_FLAG_LETTER = 0x1f1e6;

const namesByEmoji = new Map<string, string[]>();
for (const [name, emoji] of Object.entries(nameToEmoji)) {
  namesByEmoji.set(emoji, [...(namesByEmoji.get(emoji) ?? []), name]);
}

const codePoints = (emoji: string): number[] => [...emoji].map((char) => char.codePointAt(0) ?? 0);

function byCodePoint(a: string, b: string): number {
  const x = codePoints(a);
  const y = codePoints(b);
  const at = x.findIndex((code, index) => code !== y[index]);
  return at === -1 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? 0);
}

let previous = 0;
function distance(code: number): string {
  const step = code - previous;
  previous = code;
  if (step === 0) return "Z";
  if (step === 1) return "N";
  return (step < 0 ? "-" : "+") + Math.abs(step).toString(36);
}

function encode(emoji: string): string {
  return emoji.replace(/\u200d[\u2642\u2640]\ufe0f|./gsu, (part) => {
    const code = part.codePointAt(0) ?? 0;
    const isFlagLetter = code >= FIRST_FLAG_LETTER && code < FIRST_FLAG_LETTER + 26;
    return (
      LETTERS.get(part) ?? (isFlagLetter ? `~${String.fromCharCode(code - FIRST_FLAG_LETTER + 97)}` : distance(code))
    );
  });
}

const sorted = [...namesByEmoji.keys()].sort(byCodePoint);
const codes = sorted.map(encode).join(" ");
const names = sorted.map((emoji) => namesByEmoji.get(emoji)?.join(",")).join(" ");

writeFileSync(
  new URL("../src/emoji-table.ts", import.meta.url),
  `// Written by scripts/emoji-table.ts from gemoji: the emoji, then in the same order their names.
export const EMOJI_CODES: string =
  ${JSON.stringify(codes)};
export const EMOJI_NAMES: string =
  ${JSON.stringify(names)};
`,
);
