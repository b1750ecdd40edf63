import fc from "fast-check";
import { walk } from "../src/edit/tree.ts";
import { emojiFor } from "../src/emoji.ts";
import { escapeHtml, isMathAttribute, isMathElement } from "../src/html.ts";
import {
  append,
  type DocJSON,
  diff,
  fromDialect,
  headings,
  insertAfterHeading,
  isSafeUrl,
  mapAddresses,
  merge,
  normalize,
  outline,
  parseMarkdown,
  prepend,
  renameDialect,
  replaceSection,
  replaceText,
  replaceTexts,
  section,
  serializeMarkdown,
  toHtml,
  toPlainText,
  toReadingHtml,
  validate,
} from "../src/index.ts";
import * as onDemand from "../src/on-demand.ts";
import * as serializeOnly from "../src/serialize-only.ts";
import { hostileAlphabet } from "../src/testing.ts";
import * as withHtml from "../src/with-html.ts";

/** A text of any size with one structure: a unit that is repeated or counted up, between a beginning and an end. */
export interface Structure {
  readonly unit: string;
  readonly isCounted: boolean;
  readonly before: string;
  readonly after: string;
}

const pieces = fc.constantFrom(
  ...hostileAlphabet,
  "# H\n\n",
  "[^#]",
  "\n\n[^#]: see [^#+]\n\n",
  "\n\n[#]: /u\n\n",
  "- [ ] t\n",
  "\n\n| a | b |\n| - | - |\n| c | d |\n\n",
  ":smile:",
  ":a",
);
const phrase = (most: number): fc.Arbitrary<string> =>
  fc.array(pieces, { maxLength: most, size: "max" }).map((parts) => parts.join(""));
/** Random structures. */
export const structures: fc.Arbitrary<Structure> = fc.record({
  unit: phrase(5).filter((text) => text !== ""),
  isCounted: fc.boolean(),
  before: phrase(2),
  after: phrase(2),
});

/** The text of about `bytes` bytes: "#" in the unit is its number, and "#+" the next one. */
function textOf({ unit, isCounted, before, after }: Structure, bytes: number): string {
  const parts: string[] = [];
  for (let size = 0, number = 0; size < bytes; number += 1) {
    const next = isCounted ? unit.replaceAll("#+", String(number + 1)).replaceAll("#", String(number)) : unit;
    parts.push(next);
    size += next.length;
  }
  return `# First\n\n${before}${parts.join("")}${after}\n\n# Second\n\nlast words`;
}

function parsed(text: string): DocJSON {
  try {
    return parseMarkdown(text);
  } catch {
    return parseMarkdown("refused");
  }
}

/** Replacements of lines that occur once, of which only the first are looked at. */
function replacementsIn(markdown: string): { oldText: string; newText: string }[] {
  const lines = markdown.split("\n").filter((line) => line !== "");
  const once = lines.slice(0, 200).filter((line) => markdown.split(line).length === 2);
  return ["last words", ...once.slice(0, 50)].map((oldText) => ({ oldText, newText: `${oldText} x` }));
}

/** Returns a copy of the document with what only HTML can say: paragraphs and headings in the center, and images with a width. */
function laidOut(doc: DocJSON): DocJSON {
  const copy = structuredClone(doc);
  walk(copy.content, (node) => {
    if (node.type === "image") node.attrs = { ...node.attrs, width: 100 };
    if (node.type === "paragraph" || node.type === "heading") node.attrs = { ...node.attrs, textAlign: "center" };
  });
  return copy;
}

/** The work of every public function on a text of this structure, by name. Its input is made before. */
export function works(structure: Structure, bytes: number): Record<string, () => unknown> {
  const text = textOf(structure, bytes);
  const other = textOf({ ...structure, unit: `${structure.unit} x` }, bytes);
  const doc = parsed(text);
  const fragment = parsed(other);
  const plain = toPlainText(doc);
  const half = plain.slice(0, plain.length / 2);
  const third = parsed(text.replaceAll("b", "bc"));
  const markdown = serializeMarkdown(doc);
  const replacements = replacementsIn(markdown);
  const centered = laidOut(doc);
  const asHtml = withHtml.serializeMarkdown(centered);
  return {
    parseMarkdown: () => parseMarkdown(text),
    serializeMarkdown: () => serializeMarkdown(doc),
    normalize: () => normalize(doc),
    validate: () => validate(doc),
    toHtml: () => toHtml(doc, { headingIds: true }),
    toReadingHtml: () => toReadingHtml(doc),
    isSafeUrl: () => isSafeUrl(text),
    toPlainText: () => toPlainText(doc),
    outline: () => outline(doc),
    headings: () => headings(doc, "First"),
    section: () => section(doc, "First"),
    append: () => append(doc, fragment),
    prepend: () => prepend(doc, fragment),
    insertAfterHeading: () => insertAfterHeading(doc, "First", fragment),
    replaceSection: () => replaceSection(doc, "First", fragment),
    replaceText: () => replaceText(doc, half, "x"),
    "replaceText, one character": () => replaceText(doc, "a", "b"),
    "replaceText, half of the Markdown": () => replaceText(doc, markdown.slice(0, markdown.length / 2), "# x"),
    "replaceText, nearest passages": () => replaceText(doc, `${half.slice(-500)} absent`, "x"),
    replaceTexts: () => replaceTexts(doc, replacements),
    merge: () => merge(doc, fragment, third),
    "diff of texts": () => diff(text, other),
    "diff of documents": () => diff(doc, fragment),
    escapeHtml: () => escapeHtml(text),
    isMathElement: () => isMathElement(text),
    isMathAttribute: () => isMathAttribute("class", text),
    renameDialect: () => renameDialect(doc, "prosemirror"),
    fromDialect: () => fromDialect(doc, "milkdown"),
    mapAddresses: () => mapAddresses(doc, (address) => `${address}x`),
    emojiFor: () => emojiFor(text),
    "serializeMarkdown of on-demand": () => onDemand.serializeMarkdown(doc),
    "serializeMarkdown of serialize-only": () => serializeOnly.serializeMarkdown(doc),
    "parseMarkdown of with-html": () => withHtml.parseMarkdown(asHtml),
    "serializeMarkdown of with-html": () => withHtml.serializeMarkdown(centered),
    "normalize of with-html": () => withHtml.normalize(centered),
  };
}
