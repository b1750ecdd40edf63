import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asciiWordsOf, tokens } from "./tokens.ts";

describe("a text of millions of characters without a space", () => {
  it.each([
    ["letters", "a"],
    ["letters with accents", "a\u0301"],
    ["letters beyond the basic plane", "𝒳"],
    ["characters of a script without spaces", "東"],
  ])("of %s is one token", (_what, unit) => {
    const text = unit.repeat(6_000_000 / unit.length);
    const found = [...tokens(text)];
    expect(found.map((token) => [token.start, token.text.length])).toEqual([[0, text.length]]);
  });

  it("of joined parts keeps each of its parts", () => {
    const parts = [...tokens("a.".repeat(100_000))].flatMap((token) => (token.kind === "word" ? token.parts : []));
    expect(parts).toHaveLength(100_000);
  });
});

it("a word and a run beside each other are two tokens", () => {
  const shown = [...tokens("node.js東京c++ c#")].map((token) => `${token.kind} ${token.text}`);
  expect(shown).toEqual(["word node.js", "run 東京", "word c++", "word c#"]);
});

const ascii = fc.string({ unit: fc.constantFrom(..."abzAZ09._@-+#-. \t'\"/:"), maxLength: 60 });

it("a line in ASCII has the same words as one with a character of another script beside them", () => {
  fc.assert(
    fc.property(ascii, (line) => {
      const beside = [...tokens(`${line} 東`)].slice(0, -1);
      expect([...tokens(line)]).toEqual(beside);
      expect(asciiWordsOf(line)).toEqual(beside.map(({ text }) => text));
    }),
    { numRuns: 2_000 },
  );
});

it("the tokens of a text with several lines are those of its lines, at their places", () => {
  const text = "node.js\n東京 c++\n\nend-\nof";
  expect([...tokens(text)].map((token) => [token.text, token.start])).toEqual([
    ["node.js", 0],
    ["東京", 8],
    ["c++", 11],
    ["end", 16],
    ["of", 21],
  ]);
});
