import { parseMarkdown } from "markdown-codec";
import { expect, it } from "vitest";
import { DocumentCounter, renewed } from "../src/client/editor/document-facts.ts";
import { schema } from "../src/client/editor/schema.ts";

const docOf = (markdown: string) => schema.nodeFromJSON(parseMarkdown(markdown));

it("counts the words and characters of all blocks, and finds headings wherever they are", () => {
  const doc = docOf(
    "# The plan\n\nOne **two** 三四.\n\n> ## In a quote\n>\n> - five\n\n| a | b |\n| - | - |\n| c | d |\n",
  );
  const facts = new DocumentCounter().count(doc);
  expect(facts).toMatchObject({ words: 2 + 4 + 3 + 1 + 4, characters: 8 + 11 + 10 + 4 + 4 });
  expect(facts?.headings.map(({ text, level }) => [text, level])).toEqual([
    ["The plan", 1],
    ["In a quote", 2],
  ]);
  for (const { position, text } of facts?.headings ?? []) expect(doc.nodeAt(position)?.textContent).toBe(text);
});

it("a character of two units counts once, and the end of a line not at all", () => {
  const doc = docOf("A 😀 b\\\n𝒞\n\n```\none\ntwo\n```\n");
  expect(new DocumentCounter().count(doc)?.characters).toBe(5 + 1 + 6);
});

it("a long document is counted in steps, of which each goes on where the last one ended", () => {
  const counter = new DocumentCounter();
  const doc = docOf("Word\n\n".repeat(1_000));
  let steps = 0;
  let facts = counter.count(doc, () => true);
  for (; facts === null && steps < 2_000; steps++) {
    let blocks = 0;
    facts = counter.count(doc, () => ++blocks > 100);
  }
  expect(facts?.words).toBe(1_000);
  expect(steps).toBeGreaterThan(5);
});

it("headings that read the same stay the same while others write above them", () => {
  const counter = new DocumentCounter();
  const shown = (markdown: string) => {
    const facts = counter.count(docOf(markdown));
    if (facts === null) throw new Error("The document was not counted");
    return { ...facts, current: 0 };
  };
  const first = shown("One\n\n# The plan\n");
  expect(renewed(null, first)).toBe(first);
  expect(renewed(first, shown("One\n\n# The plan\n"))).toBe(first);
  const longer = renewed(first, shown("One two\n\n# The plan\n"));
  expect(longer.words).toBe(first.words + 1);
  expect(longer.headings).toBe(first.headings);
  expect(renewed(first, shown("One\n\n# The plans\n")).headings).toMatchObject([{ text: "The plans" }]);
  expect(renewed(first, { ...first, current: -1 }).current).toBe(-1);
});
