// Writes table.ts from character-entities, the list of names that HTML and CommonMark use: `pnpm entities`.
// The table is sorted by code point, so that an entry says only how far it lies from the one before, and a step of one
// is left out. See decode-entity.ts for its form.
import { writeFileSync } from "node:fs";
import { characterEntities } from "character-entities";

const namesByCharacters = new Map<string, string[]>();
for (const [name, characters] of Object.entries(characterEntities)) {
  namesByCharacters.set(characters, [...(namesByCharacters.get(characters) ?? []), name]);
}

const codesOf = (characters: string): number[] => [...characters].map((character) => character.codePointAt(0) ?? 0);

function byCodes(a: string, b: string): number {
  const [first = 0, second = 0] = codesOf(a);
  const [otherFirst = 0, otherSecond = 0] = codesOf(b);
  return first - otherFirst || second - otherSecond;
}

let previous = 0;

function entryOf(characters: string): string {
  const [first = 0, second] = codesOf(characters);
  const step = first - previous;
  previous = first;
  // The longest name first: the table is smallest so.
  const names = namesByCharacters.get(characters)?.sort((a, b) => b.length - a.length) ?? [];
  return `${step === 1 ? "" : step}${second === undefined ? "" : `_${second}`}${names.join(",")}`;
}

const table = [...namesByCharacters.keys()].sort(byCodes).map(entryOf).join(" ");

writeFileSync(
  new URL("table.ts", import.meta.url),
  `// Written by scripts/entities/write-table.ts from character-entities: the characters, each with its names.
export const ENTITY_TABLE: string =
  ${JSON.stringify(table)};
`,
);
