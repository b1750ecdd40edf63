import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  append,
  CodecError,
  type DocJSON,
  insertAfterHeading,
  normalize,
  outline,
  parseMarkdown,
  prepend,
  replaceSection,
  replaceText,
  replaceTexts,
  serializeMarkdown,
} from "../src/index.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;
const documents = fc.oneof(ordinaryDocuments, hostileDocuments).map((doc) => normalize(doc).doc);
const pieces = fc.oneof(
  documents,
  fc
    .constantFrom(
      "",
      "a",
      "- a",
      "1. a\n2. b",
      "- [ ] a",
      "| a |",
      "> a",
      "# a",
      "\n\n",
      "[^1]: a",
      "<!-- a -->",
      "***",
    )
    .map((text) => parseMarkdown(text)),
);
const places = fc.tuple(fc.nat(), fc.nat(80));

/** How many lines of the Markdown are an empty paragraph that is written out. */
const gaps = (markdown: string): number => (markdown.match(/^.*&nbsp;$/gm) ?? []).length;

/** Every edit, of a document, a fragment and a place within its Markdown. */
const edits: Record<string, (doc: DocJSON, piece: DocJSON, place: readonly [number, number]) => DocJSON> = {
  append: (doc, piece) => append(doc, piece),
  prepend: (doc, piece) => prepend(doc, piece),
  insertAfterHeading: (doc, piece, [from]) => insertAfterHeading(doc, headingOf(doc, from), piece),
  replaceSection: (doc, piece, [from]) => replaceSection(doc, headingOf(doc, from), piece),
  replaceText: (doc, piece, place) => replaceText(doc, textOf(doc, place), serializeMarkdown(piece)),
  "replaceText by nothing": (doc, _, place) => replaceText(doc, textOf(doc, place), ""),
  replaceTexts: (doc, piece, [from, length]) =>
    replaceTexts(doc, [
      { oldText: textOf(doc, [from, length]), newText: "" },
      { oldText: textOf(doc, [from + length + 1, 5]), newText: serializeMarkdown(piece) },
    ]),
};

function headingOf(doc: DocJSON, from: number): string {
  const headings = outline(doc);
  return headings[from % Math.max(1, headings.length)]?.text ?? "none";
}

function textOf(doc: DocJSON, [from, length]: readonly [number, number]): string {
  const markdown = serializeMarkdown(doc);
  const start = from % Math.max(1, markdown.length);
  return markdown.slice(start, start + length + 1).toWellFormed();
}

describe("an edit writes no empty paragraph as `&nbsp;` that neither the document nor the fragment has", () => {
  test.for(Object.entries(edits))("%s", { timeout }, ([name, edit]) => {
    const chosen = runs(400);
    let done = 0;
    const holds = ([doc, piece, place]: [DocJSON, DocJSON, [number, number]]): void => {
      let edited: DocJSON;
      try {
        edited = edit(doc, piece, place);
      } catch (error) {
        if (error instanceof CodecError) return;
        throw error;
      }
      done += 1;
      const allowed = gaps(serializeMarkdown(doc)) + gaps(serializeMarkdown(piece));
      const markdown = serializeMarkdown(edited);
      expect(gaps(markdown), markdown).toBeLessThanOrEqual(allowed);
    };
    fc.assert(fc.property(fc.tuple(documents, pieces, places), holds), chosen);
    report(`${name} (${done} done)`, chosen);
    expect(done).toBeGreaterThan(0);
  });
});
