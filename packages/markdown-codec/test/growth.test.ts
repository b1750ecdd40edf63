import { growthLimit, growths } from "@kb/testing/growth";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as html from "../src/html.ts";
import * as codec from "../src/index.ts";
import { type DocJSON, diff, merge, parseMarkdown, replaceSection, replaceText, replaceTexts } from "../src/index.ts";
import { structures, works } from "./growth-works.ts";
import { report, runs } from "./runs.ts";
import { refusable } from "./work-or-refusal.ts";

const timeout = 24 * 3_600_000;

describe("every public function on random structured input", () => {
  test("has its work among those that are measured", () => {
    const [structure] = fc.sample(structures, 1);
    if (structure === undefined) throw new Error("no structure");
    const measured = new Set(Object.keys(works(structure, 100)).map((name) => /^\w+/.exec(name)?.[0]));
    const isFunction = ([name, value]: [string, unknown]): boolean =>
      typeof value === "function" && /^[a-z]/.test(name);
    const names = [...Object.entries(codec), ...Object.entries(html)].filter(isFunction).map(([name]) => name);
    expect(names.filter((name) => !measured.has(name))).toEqual([]);
  });

  test("takes at most 2.6 times as long on twice the input", { timeout }, () => {
    const chosen = runs(4);
    for (const structure of fc.sample(structures, chosen)) {
      const small = works(structure, 20_000);
      const large = works(structure, 80_000);
      for (const [name, work] of Object.entries(small)) {
        // Over two doublings: a single one measures the garbage collector too.
        const [step = 0] = growths([work, large[name] ?? work].map(refusable), 40, growthLimit ** 2);
        expect(Math.sqrt(step), `${name} on ${JSON.stringify(structure)}`).toBeLessThanOrEqual(growthLimit);
      }
    }
    report("growth", chosen);
  });
});

describe("input that once took quadratic time", () => {
  const growth = (make: (size: number) => () => unknown, sizes: readonly number[]): number[] =>
    growths(
      sizes.map((size) => refusable(make(size))),
      40,
    );

  test("a diff of a text that was rewritten in hundreds of places", { timeout }, () => {
    const lines = (size: number, word: string): string =>
      Array.from({ length: size }, (_, index) => (index % 10 === 0 ? `anchor ${index}` : `${word} ${index % 7}`)).join(
        "\n",
      );
    const steps = growth((size) => () => diff(lines(size, "a"), lines(size, "b")), [10_000, 20_000, 40_000]);
    for (const step of steps) expect(step).toBeLessThanOrEqual(growthLimit);
  });

  test("a merge of lines that are one long address", { timeout }, () => {
    const steps = growth(
      (size) => {
        const [base, mine, theirs] = ["a", "b", "c"].map((word) =>
          parseMarkdown(`https://e.org/${`${word};`.repeat(size / 2)}`),
        );
        if (!base || !mine || !theirs) throw new Error("three documents");
        return () => merge(base, mine, theirs);
      },
      [10_000, 20_000, 40_000],
    );
    for (const step of steps) expect(step).toBeLessThanOrEqual(growthLimit);
  });

  test("footnotes each of which refers to the next", { timeout }, () => {
    const chain = (size: number): (() => unknown) => {
      const notes = Array.from({ length: size }, (_, index) => `[^${size - index}]: see[^${size - index + 1}]`);
      const doc = parseMarkdown(`a[^1]\n\n# H\n\n${notes.join("\n\n")}`);
      return () => replaceSection(doc, "H", parseMarkdown("b"));
    };
    for (const step of growth(chain, [4_000, 8_000, 16_000])) expect(step).toBeLessThanOrEqual(growthLimit);
  });

  test("a long text that overlaps itself, and a pattern that almost occurs everywhere", { timeout }, () => {
    for (const pattern of ["a".repeat.bind("a"), (size: number) => `b${"a".repeat(size)}`]) {
      const search = (size: number): (() => unknown) => {
        const doc = parseMarkdown("a".repeat(2 * size));
        return () => replaceText(doc, pattern(size), "c");
      };
      for (const step of growth(search, [100_000, 200_000, 400_000])) expect(step).toBeLessThanOrEqual(growthLimit);
    }
  });

  test("a merge of documents that were rewritten in hundreds of places", { timeout }, () => {
    const page = (size: number, word: string): DocJSON =>
      parseMarkdown(
        Array.from({ length: size }, (_, index) =>
          index % 10 === 0 ? `anchor ${index}` : `${word} ${index % 7} b`,
        ).join("\n\n"),
      );
    const work = (size: number): (() => unknown) => {
      const base = page(size, "x y");
      const mine = page(size, "x z");
      const theirs = page(size, "w y");
      return () => merge(base, mine, theirs);
    };
    for (const step of growth(work, [2_000, 4_000, 8_000])) expect(step).toBeLessThanOrEqual(growthLimit);
  });

  test("a hundred texts replaced in one document", { timeout }, () => {
    const work = (size: number): (() => unknown) => {
      const doc = parseMarkdown(Array.from({ length: size }, (_, index) => `- item ${index}. **b**`).join("\n"));
      const edits = Array.from({ length: 100 }, (_, index) => `item ${Math.floor((index * size) / 100)}.`);
      return () =>
        replaceTexts(
          doc,
          edits.map((oldText) => ({ oldText, newText: `${oldText} *x*` })),
        );
    };
    for (const step of growth(work, [4_000, 8_000, 16_000])) expect(step).toBeLessThanOrEqual(growthLimit);
  });

  test("no more than 100 matches are counted", () => {
    const doc = parseMarkdown("a ".repeat(5_000));
    expect(() => replaceText(doc, "a", "b")).toThrow(expect.objectContaining({ code: "TEXT_NOT_FOUND", count: 100 }));
  });
});
