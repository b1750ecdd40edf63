import { createWorld, type World } from "@kb/core/testing";
import { type Reader, sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServiceError } from "../errors.ts";
import { invoke } from "../invoke.ts";
import * as operations from "../operations.ts";
import { conditionsOf, textConditions } from "./conditions.ts";
import { fold } from "./fold.ts";
import { indexDocument } from "./index.ts";
import { parseQuery, typedWords } from "./parse-query.ts";
import { tokens } from "./tokens.ts";
import { indexMark } from "./vector.ts";

let store: TestDatabase;
let world: World;

beforeAll(async () => {
  store = await testDatabase();
  world = await createWorld(store.database);
});
afterAll(() => store?.drop());

const fragment = fc.constantFrom(
  '"',
  "-",
  "'",
  "\\",
  "%",
  "_",
  ":*",
  "&",
  "|",
  "!",
  "(",
  ")",
  "<->",
  " ",
  "東",
  "é",
  "c++",
  "a.b",
  "\u200d",
);
const anything = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 80 }),
  fc.array(fc.oneof(fragment, fc.string({ maxLength: 4 })), { maxLength: 30 }).map((parts) => parts.join("")),
);

test("any string as a query gives a page or a validation error, never anything else", async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (query) => {
      const answer = invoke(world.service, operations.searchDocuments, world.people.admin.actor, { query });
      const code = await answer.then(
        () => "ok",
        (error: unknown) => (error instanceof ServiceError ? error.code : error),
      );
      expect(["ok", "validation_error"]).toContain(code);
    }),
    { numRuns: 300 },
  );
});

/** Whether PostgreSQL finds a text by a query, by the conditions that the search uses. */
async function finds(reader: Reader, text: string, query: string): Promise<boolean> {
  const { vector, folded } = indexDocument({ title: "", tags: [], headings: [], text, addresses: [] });
  const conditions = conditionsOf(parseQuery(query), typedWords(query));
  if (conditions === null) return false;
  const proven = textConditions(sql`${folded}::text`, conditions);
  const [row] = await reader.rows<{ found: boolean }>(
    sql`SELECT ${vector}::tsvector @@ ${conditions.matches}::tsquery AND ${proven} AS found`,
  );
  return row?.found === true;
}

test("any text indexes to a vector that PostgreSQL takes, and is found by any of its words and by its beginning", async () => {
  await fc.assert(
    fc.asyncProperty(anything, fc.nat(), async (text, pick) => {
      const words = [...tokens(fold(text))].map((token) => token.text);
      const word = words[pick % Math.max(1, words.length)];
      if (word === undefined) {
        const { vector } = indexDocument({ title: text, tags: [text], headings: [], text, addresses: [] });
        expect(vector).toMatch(new RegExp(`^'${indexMark}' '=@[a-z]*'$`));
        return;
      }
      expect(await finds(store.database, text, word)).toBe(true);
      expect(await finds(store.database, text, `"${word}"`)).toBe(true);
      expect(await finds(store.database, text, `-${word}`)).toBe(false);
      const start = Array.from(word).slice(0, 2).join("");
      if ([...tokens(start)][0]?.text === start && /^\p{L}+$/u.test(start))
        expect(await finds(store.database, text, start)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

const scripts = [
  "的一是不了人我在有他这中大来上",
  "東京都にあるファイルをーがガ々",
  "한국어문서검색합니다서를안녕",
  "ภาษาไทยที่เขียนติดกัน",
  "ພາສາລາວ",
  "ភាសាខ្មែរ",
  "မြန်မာဘာသာ",
];

test("any substring of a text without spaces is found, and what is no substring is not", async () => {
  const letters = fc
    .constantFrom(...scripts)
    .chain((script) =>
      fc.tuple(
        fc.array(fc.constantFrom(...Array.from(script)), { minLength: 1, maxLength: 40 }),
        fc.array(fc.constantFrom(...Array.from(script)), { minLength: 2, maxLength: 4 }),
        fc.nat(),
        fc.nat(),
      ),
    );
  await fc.assert(
    fc.asyncProperty(letters, async ([text, other, from, length]) => {
      const whole = text.join("").normalize("NFC");
      const characters = Array.from(whole);
      const start = from % characters.length;
      const substring = characters.slice(start, start + 1 + (length % (characters.length - start))).join("");
      if (fold(whole).includes(fold(substring))) expect(await finds(store.database, whole, substring)).toBe(true);
      const stranger = other.join("").normalize("NFC");
      expect(await finds(store.database, whole, stranger)).toBe(fold(whole).includes(fold(stranger)));
    }),
    { numRuns: 300 },
  );
});

test("a phrase is found exactly where its words stand side by side", async () => {
  const word = fc.constantFrom("fox", "foxes", "über", "c++", "東京", "a.b");
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 12 }),
      fc.array(word, { minLength: 2, maxLength: 3 }),
      async (text, phrase) => {
        const expected = text.some((_, at) =>
          phrase.every((wanted, offset) => {
            const here = text[at + offset];
            return here !== undefined && here === wanted;
          }),
        );
        expect(await finds(store.database, text.join(", "), `"${phrase.join(" ")}"`)).toBe(expected);
      },
    ),
    { numRuns: 300 },
  );
});
