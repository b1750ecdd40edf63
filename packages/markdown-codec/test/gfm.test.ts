import { describe, expect, test } from "vitest";
import { holdsForText } from "./laws.ts";
import { documentReading } from "./read-document.ts";
import { mdastReading } from "./read-mdast.ts";

/**
 * Cases written for this package, one for each rule of GFM's extensions, beside GFM's own examples in `gfm-suite.test.ts`.
 * The second reader, remark with GFM, says what each one means; where we mean something else on purpose,
 * the case says so under `ours`.
 */
const tables = [
  "| a | b |\n| --- | --- |\n| c | d |",
  "a | b\n-|-\nc | d",
  "| a | b |\n| :-: | --: |\n| c | d |",
  "| a |\n| :- |\n| b |",
  "| a \\| b |\n| --- |\n| `c \\| d` |",
  "| a | b |\n| --- | --- |\n| c | d |\n> quote",
  "| a | b |\n| --- | --- |\n| c | d |\n\ntext",
  "| a | b |\n| --- |\n| c |",
  "| a | b |\n| --- | --- |",
  "| **a** | `b` | [c](d) |\n| --- | --- | --- |\n| *e* | ~~f~~ | ![g](h) |",
  "- | a |\n  | - |\n  | b |",
  "> | a |\n> | - |\n> | b |",
  "| a |\n| - |\n| |\n| b |",
  "text\n| a |\n| - |\n| b |",
  "\\| a |\n| - |",
  "- |\n---\na|a",
  "- a | b\n  -|-\n  c | d",
  "1. a | b\n|-|-|\n| c | d |",
  "> a | b\n|-|-|\n| c | d |",
  "# a | b\n|-|-|\n| c | d |",
  "``` a | b\n|-|-|\n| c | d |",
  "[^1]: a | b\n-|-\nc | d\n\n[^1]",
  "a |\n---\nb | c",
  "text\na |\n---",
  // Kept as it is written.
  "| a |\n| - |\n| b | c |\n| |",
];
const tasks = [
  "- [ ] a\n- [x] b",
  "- [X] a",
  "* [x] a\n* [ ] b",
  "+ [ ] a\n  - [x] b\n  - [ ] c",
  "- [ ] a\n\n  more\n\n- [x] b",
  "- [ ]a",
  "- [y] a",
  "- [x](u) a",
  "- a [ ] b",
  "> - [ ] a",
  "- [ ] **a** `b`",
  "1. [ ] a\n2. [x] b",
  "- [ ] a\n- b\n- [x] c",
];
const addresses = [
  "www.example.com and https://example.com",
  "see https://example.com/a_b?c=d&e, then.",
  "(https://example.com/a) (www.example.com/a(b))",
  "a@example.com, a.b-c@example.co.uk.",
  "**https://example.com**",
  "xhttps://example.com",
];
const strikes = [
  "~~a~~",
  "~~a b~~ c",
  "a~~b~~c",
  "~~a\n\nb~~",
  "~~a **b** c~~",
  "**a ~~b~~ c**",
  "~~~a~~~",
  "a ~~ b ~~ c",
  "\\~~a~~",
  "~~[a](b)~~",
];
const notes = [
  "a[^1]\n\n[^1]: b",
  "a[^1] c[^1]\n\n[^1]: b\n\n    d",
  "a[^x]",
  "[^1]: `b`\n\na[^1]",
  "a[^1]\n\n[^1]: - b\n    - c",
  "> a[^1]\n>\n> [^1]: b",
  "- a[^1]\n\n  [^1]: b",
];

describe("GFM's extensions, cases of our own", () => {
  test.for([...tables, ...tasks, ...addresses, ...strikes, ...notes])(
    "%j is read as remark reads it, and survives",
    (text) => {
      const { doc } = holdsForText(text);
      expect(documentReading(doc)).toEqual(mdastReading(text));
    },
  );

  test.for([
    ["- [ ]", "an empty task", "an editor makes empty tasks; cmark's scanner takes the end of line too"],
    ["https://example.com/a&amp; b", "an entity in an address", "an entity is its character; remark keeps it"],
    [
      "https://example.com\\\nb",
      "an address before a break",
      "the backslash is the break; remark takes it into the address",
    ],
    ["~a~", "one tilde", "subscript here, strike on GitHub"],
  ])("%j (%s) survives, though we mean something else: %s", ([text = ""]) => {
    const { doc } = holdsForText(text);
    expect(documentReading(doc)).not.toEqual(mdastReading(text));
  });
});
