import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CodecError,
  type DocJSON,
  type NodeJSON,
  normalize,
  parseMarkdown,
  replaceText,
  serializeMarkdown,
} from "../src/index.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { emptyParagraphs, partsOf } from "./parts.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;
const documents = fc.oneof(ordinaryDocuments, hostileDocuments).map((doc) => normalize(doc).doc);

/** Replacements that an assistant might write: words, marks that do not close, blocks of every kind. */
const pieces = fc.constantFrom(
  "",
  "new words",
  "**bold**",
  "*",
  "**",
  "`",
  "```\nopen",
  "- item",
  "a\n\nb",
  "# title",
  "[link](u)",
  "[x",
  "](u)",
  "| a | b |",
  "<div>",
  "> q",
  "1. one\n2. two",
  "\\",
  "==",
  "&amp;",
  "[^1]",
  " ",
  "\n",
);

/** A document, and a part of its Markdown, which may begin and end anywhere. */
const places = fc.tuple(documents, fc.nat(), fc.nat(60)).map(([doc, from, length]) => {
  const markdown = serializeMarkdown(doc);
  const start = from % Math.max(1, markdown.length);
  return { doc, markdown, oldText: markdown.slice(start, start + length + 1).toWellFormed() };
});

function editedOrRefused(edit: () => DocJSON): DocJSON | undefined {
  try {
    return edit();
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

/** The Markdown of the blocks before `index`, as the whole document has it, with the blank line after them. */
function writtenUpTo(doc: DocJSON, index: number): string {
  const mark: NodeJSON = { type: "heading", attrs: { level: 1, id: null }, content: [{ type: "text", text: "MARK" }] };
  const content = [...doc.content.slice(0, index), mark, ...doc.content.slice(index)];
  return serializeMarkdown({ type: "doc", content }).split("# MARK\n")[0] ?? "";
}

/** Holds that the blocks that end before a place of the Markdown, and those that begin after another, are as they were. */
function keepsOthers(doc: DocJSON, edited: DocJSON, start: number, end: number): void {
  const starts = doc.content.map((_, index) => writtenUpTo(doc, index));
  const first = starts.filter((before, index) => index > 0 && before.trimEnd().length + 1 < start).length;
  const last = starts.findIndex((before, index) => index > 0 && before.length > end);
  const found = partsOf(edited.content);
  const head = partsOf(doc.content.slice(0, first));
  const tail = last === -1 ? [] : partsOf(doc.content.slice(last));
  expect(found.slice(0, head.length)).toEqual(head);
  expect(tail.length === 0 ? [] : found.slice(-tail.length)).toEqual(tail);
}

describe("a text that is replaced", () => {
  test("by itself changes nothing", { timeout }, () => {
    const chosen = runs(500);
    const holds = ({ doc, oldText }: { doc: DocJSON; oldText: string }): void => {
      const edited = editedOrRefused(() => replaceText(doc, oldText, oldText));
      if (edited) expect(edited).toEqual(doc);
    };
    fc.assert(fc.property(places, holds), chosen);
    report("replaceText by the same text", chosen);
  });

  test("by anything changes the blocks that it stands in, and nothing else", { timeout }, () => {
    const chosen = runs(700);
    let done = 0;
    fc.assert(
      fc.property(places, pieces, ({ doc, markdown, oldText }, newText) => {
        const edited = editedOrRefused(() => replaceText(doc, oldText, newText));
        if (!edited) return;
        done += 1;
        expect(normalize(edited)).toEqual({ doc: edited, changes: [] });
        expect(parseMarkdown(serializeMarkdown(edited))).toEqual(edited);
        const start = markdown.indexOf(oldText);
        const isOnce = start !== -1 && start === markdown.lastIndexOf(oldText);
        if (isOnce) keepsOthers(doc, edited, start, start + oldText.length);
        expect(emptyParagraphs(edited)).toBeLessThanOrEqual(
          emptyParagraphs(doc) + emptyParagraphs(parseMarkdown(newText)) + 1,
        );
      }),
      chosen,
    );
    report(`replaceText (${done} done)`, chosen);
  });
});
