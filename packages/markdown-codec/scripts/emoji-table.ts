// Writes src/emoji-table.ts from gemoji, the list of names that GitHub uses: `pnpm emoji`.
import { writeFileSync } from "node:fs";
import { nameToEmoji } from "gemoji";

const namesByEmoji = new Map<string, string[]>();
for (const [name, emoji] of Object.entries(nameToEmoji)) {
  namesByEmoji.set(emoji, [...(namesByEmoji.get(emoji) ?? []), name]);
}
const table = [...namesByEmoji].map(([emoji, names]) => emoji + names.join(",")).join(";");

writeFileSync(
  new URL("../src/emoji-table.ts", import.meta.url),
  `// Written by scripts/emoji-table.ts from gemoji: an emoji, then its names; entries end with ";".
export const EMOJI_TABLE: string =
  ${JSON.stringify(table)};
`,
);
