import { growthLimit, growths } from "@kb/testing/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedDiff } from "./documents/body.ts";
import { Folder, relativeAddress, safeName } from "./export/names.ts";
import { ancestorsOf, placeDocuments } from "./export/outline.ts";
import { uploadPaths } from "./export/uploads.ts";
import { normalizeTagName } from "./schema/text.ts";
import { withoutInvisible } from "./schema/visible-text.ts";
import { fold } from "./search/fold.ts";
import { indexDocument } from "./search/index-document.ts";
import { parseQuery } from "./search/parse-query.ts";

// Functions over text and names that run on the event loop or once for each document: random structures, in two sizes.

const units = [
  "a",
  "Ä",
  "\u0301",
  "東",
  "\ufdfa",
  "👩‍💻",
  "\u200b",
  " ",
  "\n",
  ".",
  "-",
  "@",
  "(2)",
  '"',
  "word ",
  "İ",
  "ß",
  "con",
  "\u202e",
];
const unit = fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
const samples = 4;
/** The length of the longer of two texts. Bodies have up to 1.5 million bytes; most runs measure shorter ones. */
const textLength = Number(process.env.KB_GROWTH_CHARACTERS ?? 200_000);

/** Takes the names of a folder, of which all or most are the same. */
function takeAll(names: readonly string[]): void {
  const folder = new Folder();
  for (const name of names) folder.take(name, ".md");
}

const textWorks: Readonly<Record<string, (text: string) => unknown>> = {
  fold,
  indexDocument: (text) => indexDocument({ title: "", tags: [], headings: [], addresses: [], text }),
  parseQuery,
  normalizeTagName,
  withoutInvisible,
  safeName: (text) => safeName(text),
  relativeAddress: (text) => relativeAddress("a/b/c.md", text.replaceAll("a", "/")),
  boundedDiff: (text) => boundedDiff(text, text.replaceAll(/.{1,40}/gsu, "$&x")),
};

const nameWorks: Readonly<Record<string, (unit: string, count: number) => readonly string[]>> = {
  "one name": (name, count) => Array.from({ length: count }, () => name),
  "names with the numbers that others get": (name, count) =>
    Array.from({ length: count }, (_, n) => (n % 2 === 0 ? `${name} (${count - n})` : name)),
  "names that differ in case": (name, count) =>
    Array.from({ length: count }, (_, n) => (n % 2 === 0 ? name.toUpperCase() : name.toLowerCase())),
};

/** Over two doublings: a single one measures the garbage collector too. */
function growthOf(work: (size: number) => () => unknown, size: number): number {
  const [step = 0] = growths([work(size), work(4 * size)], 40, growthLimit ** 2);
  return Math.sqrt(step);
}

describe("on twice the input, at most 2.6 times the processor time is spent by", () => {
  it.each(Object.entries(textWorks))("%s", { timeout: 600_000 }, (name, work) => {
    for (const piece of fc.sample(unit, samples)) {
      const growth = growthOf((size) => {
        const text = piece.repeat(size / piece.length);
        return () => work(text);
      }, textLength / 4);
      expect(growth, `${name} on ${JSON.stringify(piece)}`).toBeLessThanOrEqual(growthLimit);
    }
  });

  it.each(Object.entries(nameWorks))("a folder of %s", { timeout: 600_000 }, (_kind, names) => {
    for (const piece of fc.sample(unit, samples)) {
      const growth = growthOf((count) => {
        const all = names(safeName(piece), count);
        return () => takeAll(all);
      }, 2_000);
      expect(growth, JSON.stringify(piece)).toBeLessThanOrEqual(growthLimit);
    }
  });

  it("the paths and ancestors of a chain of documents", { timeout: 600_000 }, () => {
    const growth = growthOf((count) => {
      const rows = Array.from({ length: count }, (_, n) => {
        const parentDocumentId = n === 0 ? null : `${n - 1}`;
        return { id: `${n}`, title: "Untitled", emoji: null, parentDocumentId, updatedAt: new Date(0) };
      });
      return () => {
        const entries = placeDocuments(rows, ".html", []);
        const byId = new Map(entries.map((entry) => [entry.id, entry]));
        return entries.map((entry) =>
          ancestorsOf(entry, byId).map(({ path }) => relativeAddress(entry.path, path).length),
        );
      };
    }, 500);
    expect(growth).toBeLessThanOrEqual(growthLimit);
  });

  it.each(Object.entries(nameWorks))("the attachments of an export with %s", { timeout: 600_000 }, (_kind, names) => {
    for (const piece of fc.sample(unit, samples)) {
      const growth = growthOf((count) => {
        const all = names(safeName(piece), count).map((name) => `${name}.png`);
        return () => uploadPaths(all);
      }, 2_000);
      expect(growth, JSON.stringify(piece)).toBeLessThanOrEqual(growthLimit);
    }
  });
});
