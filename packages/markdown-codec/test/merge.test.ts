import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DocJSON,
  merge,
  type NodeJSON,
  normalize,
  parseMarkdown,
  serializeMarkdown,
  toPlainText,
} from "../src/index.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { nodesOf } from "./json.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;

/** The Markdown of a merge of three Markdown texts, and how many conflicts it had. */
function merged(base: string, mine: string, theirs: string): [markdown: string, conflicts: number] {
  const { doc, conflicts } = merge(parseMarkdown(base), parseMarkdown(mine), parseMarkdown(theirs));
  return [serializeMarkdown(doc), conflicts.length];
}

describe("changes of both sides", () => {
  const cases: readonly (readonly [name: string, base: string, mine: string, theirs: string, result: string])[] = [
    ["to different paragraphs", "a\n\nb\n\nc", "A\n\nb\n\nc", "a\n\nb\n\nC", "A\n\nb\n\nC\n"],
    ["to different words", "the cat sat on it", "the dog sat on it", "the cat lay on it", "the dog lay on it\n"],
    ["to neighbouring words", "one two three", "uno two three", "one due three", "uno due three\n"],
    ["a word and its neighbour's mark", "one two", "one **two**", "uno two", "uno **two**\n"],
    ["at the end, by both", "a", "a\n\nb", "a\n\nc", "a\n\nb\n\nc\n"],
    ["the same by both", "a b", "a c\n\nd", "a c\n\nd", "a c\n\nd\n"],
    ["a change and an addition beside it", "a b c\n\nd", "a b x\n\nd", "a b c\n\nnew\n\nd", "a b x\n\nnew\n\nd\n"],
    ["a removal and an addition", "a\n\nb\n\nc", "a\n\nc", "a\n\nb\n\nc\n\nd", "a\n\nc\n\nd\n"],
    ["items of one list", "- a\n- b", "- a\n- b\n- c", "- z\n- a\n- b", "- z\n- a\n- b\n- c\n"],
    ["a box and the words of a task", "- [ ] ship it", "- [x] ship it", "- [ ] ship it now", "- [x] ship it now\n"],
    [
      "cells of one row",
      "| a | b |\n|-|-|\n| c | d |",
      "| a | b |\n|-|-|\n| C | d |",
      "| a | b |\n|-|-|\n| c | D |",
      "| a | b |\n| --- | --- |\n| C | D |\n",
    ],
    ["lines of code", "```\na\nb\nc\n```", "```\nA\nb\nc\n```", "```\na\nb\nC\n```", "```\nA\nb\nC\n```\n"],
    ["the level and the words of a heading", "# old plan", "## old plan", "# new plan", "## new plan\n"],
    ["words in a quote", "> one two three", "> uno two three", "> one two tre", "> uno two tre\n"],
    [
      "each a footnote of the same label",
      "a\n\nb",
      "a[^1]\n\nb\n\n[^1]: x",
      "a\n\nb[^1]\n\n[^1]: y",
      "a[^1]\n\nb[^1-2]\n\n[^1]: x\n\n[^1-2]: y\n",
    ],
  ];
  test.each(cases)("%s are both made", (_, base, mine, theirs, result) => {
    expect(merged(base, mine, theirs)).toEqual([result, 0]);
  });

  test("a footnote that one side removed and the other refers to stays", () => {
    const base = "a[^1]\n\nb\n\n[^1]: n";
    expect(merged(base, "a\n\nb", "a[^1]\n\nb[^1]\n\n[^1]: n")).toEqual(["a\n\nb[^1]\n\n[^1]: n\n", 0]);
  });
});

describe("a conflict keeps both versions, mine first", () => {
  const cases: readonly (readonly [name: string, base: string, mine: string, theirs: string, result: string])[] = [
    ["the same word", "a cat sat", "a dog sat", "a fox sat", "a dog sat\n\na fox sat\n"],
    ["two words at one place", "a sat", "a dog sat", "a fox sat", "a dog sat\n\na fox sat\n"],
    ["a change of what the other removed", "a b c\n\nd", "d", "a b x\n\nd", "a b x\n\nd\n"],
    [
      "one cell",
      "| a |\n|-|\n| b c |",
      "| a |\n|-|\n| b x |",
      "| a |\n|-|\n| b y |",
      "| a |\n| --- |\n| b x |\n| b y |\n",
    ],
    ["an item", "- a b", "- a x", "- a y", "- a x\n\n  a y\n"],
    ["the level of a heading", "# a", "## a", "### a", "## a\n\n### a\n"],
  ];
  test.each(cases)("%s", (_, base, mine, theirs, result) => {
    expect(merged(base, mine, theirs)).toEqual([result, 1]);
  });

  test("tells the versions, and where they stand", () => {
    const { doc, conflicts } = merge(parseMarkdown("x\n\na b"), parseMarkdown("x\n\na c"), parseMarkdown("x\n\na d"));
    const [conflict] = conflicts;
    expect(conflict?.path).toEqual([1]);
    expect([conflict?.mine, conflict?.theirs]).toEqual(doc.content.slice(1));
  });
});

const documents = fc.oneof(ordinaryDocuments, hostileDocuments).map((doc) => normalize(doc).doc);

/** A document with words that only this side has: some inserted, some in place of others; and some blocks removed. */
function changedBy(side: string, doc: DocJSON, choices: readonly number[]): DocJSON {
  let at = 0;
  const choose = (): number => choices[at++ % choices.length] ?? 0;
  const changed = (node: NodeJSON): NodeJSON => {
    if (node.type === "text" && choose() % 5 === 0) return { ...node, text: `${side}${at}q ${node.text}` };
    return node.content ? { ...node, content: node.content.map(changed) } : node;
  };
  const content = doc.content.flatMap((node): NodeJSON[] => {
    const choice = choose() % 9;
    if (choice === 0) return [];
    const own: NodeJSON = { type: "paragraph", content: [{ type: "text", text: `${side}${at}q added` }] };
    return choice === 1 ? [own, changed(node)] : [changed(node)];
  });
  return normalize({ type: "doc", content: content.length > 0 ? content : doc.content }).doc;
}

const wordsOfSide = (doc: DocJSON): string[] => [...allText(doc).matchAll(/[mt]\d+q/g)].map(([word]) => word);
const allText = (doc: DocJSON): string => [...nodesOf(doc)].map((node) => node.text ?? "").join(" ");
const triples = fc
  .tuple(
    documents,
    fc.array(fc.nat(1_000), { minLength: 5, maxLength: 40 }),
    fc.array(fc.nat(1_000), { minLength: 5, maxLength: 40 }),
  )
  .map(([base, mine, theirs]) => ({ base, mine: changedBy("m", base, mine), theirs: changedBy("t", base, theirs) }));

describe("merge, for random documents", () => {
  const forAll = (name: string, holds: (versions: { base: DocJSON; mine: DocJSON; theirs: DocJSON }) => void): void => {
    const chosen = runs(400);
    fc.assert(fc.property(triples, holds), chosen);
    report(name, chosen);
  };

  test("with a side that changed nothing is the other side, without a conflict", { timeout }, () => {
    forAll("merge with one side", ({ base, mine }) => {
      for (const result of [merge(base, mine, base), merge(base, base, mine), merge(base, mine, mine)]) {
        expect(result).toEqual({ doc: mine, conflicts: [] });
      }
    });
  });

  test("has everything that a side added, in normal form", { timeout }, () => {
    forAll("merge of two sides", ({ base, mine, theirs }) => {
      const { doc } = merge(base, mine, theirs);
      const found = new Set(wordsOfSide(doc));
      for (const word of [...wordsOfSide(mine), ...wordsOfSide(theirs)])
        expect(found, toPlainText(doc)).toContain(word);
      expect(normalize(doc)).toEqual({ doc, changes: [] });
      expect(parseMarkdown(serializeMarkdown(doc))).toEqual(doc);
    });
  });

  test("has the same conflicts whichever side is mine", { timeout }, () => {
    forAll("merge both ways", ({ base, mine, theirs }) => {
      const one = merge(base, mine, theirs).conflicts.map(({ base: old, mine: a, theirs: b }) => [old, a, b]);
      const other = merge(base, theirs, mine).conflicts.map(({ base: old, mine: a, theirs: b }) => [old, b, a]);
      expect(one).toEqual(other);
    });
  });

  test("of documents that have nothing to do with each other keeps all words", { timeout }, () => {
    const chosen = runs(200);
    fc.assert(
      fc.property(fc.tuple(documents, documents, documents), ([base, mine, theirs]) => {
        const { doc } = merge(base, changedBy("m", mine, [0, 5]), changedBy("t", theirs, [0, 5]));
        const found = new Set(wordsOfSide(doc));
        for (const side of [changedBy("m", mine, [0, 5]), changedBy("t", theirs, [0, 5])]) {
          for (const word of wordsOfSide(side)) expect(found).toContain(word);
        }
      }),
      chosen,
    );
    report("merge of strangers", chosen);
  });
});
