import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  append,
  type DocJSON,
  insertAfterHeading,
  type NodeJSON,
  normalize,
  parseMarkdown,
  prepend,
  serializeMarkdown,
} from "../src/index.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { emptyParagraphs, isNote, partsOf } from "./parts.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;

/** Holds that the parts of `doc` are in `result` as they were, before and after those of the fragment. */
function onlyInserted(doc: DocJSON, fragment: DocJSON, result: DocJSON, at: number): void {
  const flowOf = ({ content }: DocJSON): NodeJSON[] => content.filter((node) => !isNote(node));
  const before = partsOf(doc.content.slice(0, at).filter((node) => !isNote(node)));
  const after = partsOf(doc.content.slice(at).filter((node) => !isNote(node)));
  const found = partsOf(flowOf(result));
  expect(found.slice(0, before.length)).toEqual(before);
  expect(after.length === 0 ? [] : found.slice(-after.length)).toEqual(after);
  for (const note of doc.content.filter(isNote)) expect(result.content).toContainEqual(note);
  expect(emptyParagraphs(result)).toBeLessThanOrEqual(emptyParagraphs(doc) + emptyParagraphs(fragment));
  expect(normalize(result)).toEqual({ doc: result, changes: [] });
  expect(parseMarkdown(serializeMarkdown(result))).toEqual(result);
}

/** Short documents in which lists of every kind stand side by side, and fragments that are lists themselves. */
const bits = [
  "- a",
  "- b\n  - c",
  "- d\n\n  e",
  "1. d",
  "7. e",
  "- [ ] f",
  "- [x] g",
  "h",
  "> - i",
  "# j",
  "---",
  "```\nk\n```",
  "- k[^1]",
  "| a | b |\n| - | - |\n| c | d |",
];
const blocksOf = (most: number): fc.Arbitrary<DocJSON> =>
  fc.array(fc.constantFrom(...bits), { minLength: 1, maxLength: most }).map((parts) => {
    const content = parts.flatMap((part) => parseMarkdown(`${part}\n\n[^1]: note`).content.slice(0, -1));
    const notes = parts.includes("- k[^1]") ? parseMarkdown("[^1]: note").content : [];
    return normalize({ type: "doc", content: [...content, ...notes] }).doc;
  });
const hostile = hostileDocuments.map((doc) => normalize(doc).doc);

function forAll(name: string, pairs: fc.Arbitrary<[DocJSON, DocJSON]>, cases: number): void {
  const chosen = runs(cases);
  const holds = ([doc, piece]: [DocJSON, DocJSON]): void => {
    fc.pre(serializeMarkdown(doc) !== "");
    onlyInserted(doc, piece, append(doc, piece), doc.content.length);
    const start = doc.content[0]?.attrs?.kind === "frontMatter" ? 1 : 0;
    onlyInserted(doc, piece, prepend(doc, piece), start);
    const index = doc.content.findIndex((node) => node.type === "heading" && node.content?.[0]?.text === "j");
    if (index >= 0) onlyInserted(doc, piece, insertAfterHeading(doc, "j", piece), index + 1);
  };
  fc.assert(fc.property(pairs, holds), chosen);
  report(name, chosen);
}

describe("blocks that come to stand beside lists", () => {
  test("keep every item and block that was there, and make no empty paragraph", { timeout }, () => {
    forAll("lists beside lists", fc.tuple(blocksOf(6), blocksOf(3)), 2_000);
  });

  test("hostile fragments leave hostile documents as they were", { timeout }, () => {
    forAll("hostile fragments", fc.tuple(hostile, hostile), 300);
  });
});

/** An edit of a document, both as Markdown, and what it makes. */
type Case = readonly [name: string, before: string, edit: (doc: DocJSON) => DocJSON, after: string];

const appending = (markdown: string) => (doc: DocJSON) => append(doc, markdown);
const prepending = (markdown: string) => (doc: DocJSON) => prepend(doc, markdown);
const under = (heading: string, markdown: string) => (doc: DocJSON) => insertAfterHeading(doc, heading, markdown);

const cases: readonly Case[] = [
  ["a list goes on", "- a\n", appending("- b"), "- a\n- b\n"],
  ["a list with another marker goes on with its own", "- a\n\n* b\n", appending("- c"), "- a\n\n* b\n* c\n"],
  ["the marker of the fragment does not matter", "- a\n", appending("+ b\n+ c"), "- a\n- b\n- c\n"],
  ["an item comes first", "- a\n", prepending("* b"), "- b\n- a\n"],
  ["tasks join tasks", "- [x] a\n", appending("- [ ] b"), "- [x] a\n- [ ] b\n"],
  ["nested items stay nested", "- a\n  - b\n", appending("- c\n  - d"), "- a\n  - b\n- c\n  - d\n"],
  ["numbers go on", "3. a\n4. b\n", appending("1. c\n2. d"), "3. a\n4. b\n5. c\n6. d\n"],
  ["a numbered item comes first", "1. a\n2. b\n", prepending("1. c"), "1. c\n2. a\n3. b\n"],
  ["numbers that lead up to the first", "3. a\n", prepending("2. b"), "2. b\n3. a\n"],
  ["the first number stays", "5. a\n", prepending("1. b"), "5. b\n6. a\n"],
  ["after a heading", "# T\n\n- a\n", under("T", "- b"), "# T\n\n- b\n- a\n"],
  ["a paragraph keeps the lists apart", "- a\n", appending("b\n\n- c"), "- a\n\nb\n\n- c\n"],
  ["the first of two lists joins", "- a\n", appending("- b\n\n1. c"), "- a\n- b\n\n1. c\n"],
  ["a plain item joins tasks", "- [ ] a\n", prepending("- b"), "- b\n- [ ] a\n"],
  ["a task joins plain items", "- a\n", appending("- [ ] b"), "- a\n- [ ] b\n"],
  ["a list of another kind stays apart", "- a\n", appending("1. b"), "- a\n\n1. b\n"],
  ["an item of several blocks spreads the list", "- a\n", appending("- b\n\n  c"), "- a\n\n- b\n\n  c\n"],
  ["footnotes stay at the end", "- a[^1]\n\n[^1]: n\n", appending("- b"), "- a[^1]\n- b\n\n[^1]: n\n"],
  ["lists that stood apart stay apart", "- a\n\n* b\n", prepending("- c"), "- c\n- a\n\n* b\n"],
  ["a row goes on", "| a | b |\n| --- | --- |\n", appending("| c | d |"), "| a | b |\n| --- | --- |\n| c | d |\n"],
  [
    "rows come first, below the header",
    "# T\n\n| a |\n| :-: |\n| b |\n",
    under("t", "| c |\n| d |"),
    "# T\n\n| a |\n| :-: |\n| c |\n| d |\n| b |\n",
  ],
  ["a row that is too long is text", "| a |\n| --- |\n", appending("| b | c |"), "| a |\n| --- |\n\n| b | c |\n"],
  [
    "a table beside a table is another one",
    "| a |\n| --- |\n",
    appending("| a |\n| --- |"),
    "| a |\n| --- |\n\n| a |\n| --- |\n",
  ],
];

describe("items and rows become a part of the list or table beside them", () => {
  test.each(cases)("%s", (_, before, edit, after) => {
    expect(serializeMarkdown(edit(parseMarkdown(before)))).toBe(after);
  });

  test("four appends of one item make one list of four", () => {
    const doc = ["- a", "- b", "- c", "- d"].reduce((list, item) => append(list, item), parseMarkdown(""));
    expect(serializeMarkdown(doc)).toBe("- a\n- b\n- c\n- d\n");
  });
});
