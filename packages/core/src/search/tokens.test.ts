import { describe, expect, it } from "vitest";
import { tokens } from "./tokens.ts";

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
