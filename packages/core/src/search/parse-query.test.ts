import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conditionsOf } from "./conditions.ts";
import { parseQuery, typedWords } from "./parse-query.ts";

const asked = (query: string) => conditionsOf(parseQuery(query), typedWords(query));

describe("a query", () => {
  test.each([
    ["words are all wanted, as beginnings", "Café bar", "('cafe':*) & ('bar':*)"],
    ["a single letter stands for itself", "x ray", "('x') & ('ray':*)"],
    ["a minus excludes the word itself", "fox -dog", "('fox':*) & !('dog')"],
    ["a minus within a word excludes nothing", "well-known", "('well-known':*)"],
    ["two minus signs begin an option, which is a word", "push --force", "('push':*) & ('force':*)"],
    ["a quoted word matches only that word", '"fox"', "('fox')"],
    [
      "a quoted compound is also a word of a longer one",
      '"foo_bar"',
      "('foo_bar' | 'foo_bar.':* | 'foo_bar_':* | 'foo_bar@':* | 'foo_bar-':*)",
    ],
    ["a name with signs is one word", "c++ node.js", "('c++':*) & ('node.js':*)"],
    ["two characters of a script without spaces are a pair", "東京", "('東京')"],
    ["one character begins a pair", "東", "('東':*)"],
    ["a quotation mark that never closes is none", '"fox dog', "('fox':*) & ('dog':*)"],
    ["a word said twice counts once", "fox FOX", "('fox':*)"],
  ])("%s", (_, query, matches) => expect(asked(query)?.matches).toBe(matches));

  test.each([
    ["https://www.example.org/a/b.html", "example.org/a/b.html"],
    ["<ftp://example.org/a>", "example.org/a"],
    ["www.example.org", "example.org"],
    ["mailto:ann@example.org", "ann@example.org"],
    ["https://example.org/a%20", "example.org/a"],
    ["https://kb.example/files/abcdefghijklmnopqrstuvwxyz012345/plan.png", "plan.png"],
    ["https://kb.example/files/abcdefghijklmnopqrstuvwxyz012345/", "kb.example/files/abcdefghijklmnopqrstuvwxyz012345"],
    ['"https://example.org/a b"', '"example.org/a b"'],
  ])("an address is looked for as those of links are indexed: %s", (query, same) => {
    expect(parseQuery(query)).toEqual(parseQuery(same));
  });

  test.each([["localhost:8080"], ["std::vector"], ["https:"], ["https://"], ["100%25"]])(
    "what is no address is looked for as it is: %s",
    (query) => expect(parseQuery(query)).toEqual(parseQuery(query.replaceAll(/[:/%]/g, " "))),
  );

  test.each([
    ["https://example.org/a%20bc/d", "('example.org':*) & ('a') & ('d') & ('bc':* | '20bc':*)", []],
    [
      "https://example.org/%E6%9D%B1%E4%BA%AC",
      "('example.org':*) & ('東京' | 'e6':* & '9d':* & 'b1':* & 'e4':* & 'ba':* & 'ac':*)",
      [],
    ],
    [
      '"https://example.org/a%20b"',
      "('example' & 'org' & 'a' & 'b' | 'example' & 'org' & 'a' & '20b')",
      [[" example org a b ", " example org a 20b "]],
    ],
  ])("percent signs in an address are decoded, or as they are: %s", (query, matches, inside) => {
    expect(asked(query)).toMatchObject({ matches, inside });
  });

  test.each([
    [
      "-www.example.org",
      "!('www.example.org' | 'www.example.org.':* | 'www.example.org_':* | 'www.example.org@':* | 'www.example.org-':*)",
      [],
    ],
    ["-https://example.org/caf%C3%A9", null, [" https example org caf c3 a9 "]],
  ])("an excluded address is one that is written so: %s", (query, excluded, outside) => {
    const matches = ["('fox':*)", ...(excluded === null ? [] : [excluded])].join(" & ");
    expect(asked(`fox ${query}`)).toMatchObject({ matches, outside });
  });

  test("a title that is an address is the query as it is", () => {
    expect(typedWords("https://www.example.org").words).toBe("https www example org");
  });

  test.each([
    ["a phrase is rechecked with the borders of its words", '"quick, brown"', [[" quick brown "]], []],
    [
      "quotation marks of other languages",
      "«renard brun» „brauner Fuchs“",
      [[" renard brun "], [" brauner fuchs "]],
      [],
    ],
    ["a phrase is excluded", 'fox -"quick brown"', [], [" quick brown "]],
    ["three characters or more are rechecked in their order", "東京都", [["東京都"]], []],
    ["a phrase may begin or end within a run", '"東京 abc"', [["東京 abc "]], []],
  ])("%s", (_, query, inside, outside) => expect(asked(query)).toMatchObject({ inside, outside }));

  test.each([["!?…"], ["-"], ['""'], ["-word"], ['-"a phrase"'], ["\u0301"]])(
    "with nothing to look for finds nothing: %s",
    (query) => expect(asked(query)).toBeNull(),
  );
});

test("any string is a query, and the query of the database is quoted and bounded", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (query) => {
      const conditions = asked(query);
      if (conditions === null) return;
      const lexeme = "'(?:[^'\\\\]|'')+'(?::\\*)?";
      const group = `!?\\((?:${lexeme}(?: [&|] ${lexeme})*)\\)`;
      expect(conditions.matches).toMatch(new RegExp(`^${group}(?: & ${group})*$`, "u"));
    }),
  );
});
