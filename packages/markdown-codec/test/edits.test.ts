import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  append,
  type DocJSON,
  insertAfterHeading,
  type NodeJSON,
  normalize,
  outline,
  parseMarkdown,
  prepend,
  replaceSection,
  replaceText,
  serializeMarkdown,
} from "../src/index.ts";
import { nodesOf } from "./json.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;
const documents = ordinaryDocuments.map((doc) => normalize(doc).doc);
/** Inserted Markdown: it holds a list, a fence and a footnote, which text that is glued together would tear apart. */
const fragment = parseMarkdown("inserted *text*\n\n- one\n- two\n\n```js\nlet a;\n```\n\nend[^1]\n\n[^1]: a note");

/** A document of one or two parts with a heading before each, all of them with a footnote of the label "1". */
const withHeadings = fc.array(documents, { minLength: 1, maxLength: 2 }).map((parts) => {
  const content = parts.flatMap((part, index): NodeJSON[] => [heading(`Part ${index}`, 1), ...part.content]);
  const note = parseMarkdown("note[^1]\n\n[^1]: the first note").content;
  return normalize({ type: "doc", content: [...content, ...note] }).doc;
});

function heading(text: string, level: number): NodeJSON {
  return { type: "heading", attrs: { level, id: null }, content: [{ type: "text", text }] };
}

/** The Markdown of the blocks before `index`, as the whole document has it. */
function markdownBefore(doc: DocJSON, index: number): string {
  const content = [...doc.content.slice(0, index), heading("MARK OF THE TEST", 1), ...doc.content.slice(index)];
  return serializeMarkdown({ type: "doc", content }).split("# MARK OF THE TEST\n")[0] ?? "";
}

/** Holds that blocks `from` to `to` of `doc` are gone, `result` has others there, and the rest is as it was. */
function onlyChanged(doc: DocJSON, result: DocJSON, from: number, to: number): void {
  const tail = doc.content.length - to;
  expect(result.content.slice(0, from)).toEqual(doc.content.slice(0, from));
  expect(tail === 0 ? [] : result.content.slice(-tail)).toEqual(doc.content.slice(to));
  const original = serializeMarkdown(doc);
  const before = markdownBefore(doc, from).trimEnd();
  const rest = original.slice(markdownBefore(doc, to).length);
  // A rule is written "***" only as long as it is at the very top.
  const isMoved = to === 0 && result.content.length > tail;
  const after = isMoved ? rest.replace(/^\*\*\*(?=\n)/, "---") : rest;
  expect(original.startsWith(before)).toBe(true);
  const markdown = serializeMarkdown(result);
  expect(markdown.startsWith(before), `${markdown}\nstarts with\n${before}`).toBe(true);
  expect(markdown.endsWith(after), `${markdown}\nends with\n${after}`).toBe(true);
  expect(normalize(result)).toEqual({ doc: result, changes: [] });
  expect(parseMarkdown(markdown)).toEqual(result);
}

function forAll<Value>(name: string, values: fc.Arbitrary<Value>, cases: number, holds: (value: Value) => void): void {
  const chosen = runs(cases);
  fc.assert(fc.property(values, holds), chosen);
  report(name, chosen);
}

describe("an edit changes what it names; the rest stays, node for node and byte for byte", () => {
  test("append", { timeout }, () => {
    forAll("append", withHeadings, 2_000, (doc) => {
      onlyChanged(doc, append(doc, fragment), doc.content.length, doc.content.length);
    });
  });

  test("prepend", { timeout }, () => {
    forAll("prepend", withHeadings, 2_000, (doc) => onlyChanged(doc, prepend(doc, fragment), 0, 0));
  });

  test("insertAfterHeading", { timeout }, () => {
    forAll("insertAfterHeading", withHeadings, 2_000, (doc) => {
      const index = doc.content.findIndex((node) => node.content?.[0]?.text === "Part 0");
      onlyChanged(doc, insertAfterHeading(doc, "Part 0", fragment), index + 1, index + 1);
    });
  });

  test("replaceSection, up to the next heading of its level or above", { timeout }, () => {
    forAll("replaceSection", withHeadings, 2_000, (doc) => {
      const parts = doc.content.map((node) => node.type === "heading" && node.attrs?.level === 1);
      const first = doc.content.findIndex((node) => node.content?.[0]?.text === "Part 0");
      const next = parts.indexOf(true, first + 1);
      const end = next < 0 ? doc.content.length : next;
      const result = replaceSection(doc, "Part 0", fragment);
      onlyChanged(doc, result, first + 1, end);
    });
  });

  test("replaceText, within the one block that holds the text", { timeout }, () => {
    const places = fc.tuple(withHeadings, fc.nat());
    forAll("replaceText", places, 2_000, ([doc, seed]) => {
      const paragraphs = doc.content.flatMap((node, index) => (node.type === "paragraph" ? [index] : []));
      const place = paragraphs[seed % paragraphs.length] ?? 0;
      const unique: NodeJSON = { type: "text", text: "qzx unique words qzx" };
      const content = doc.content.map((node, index) => (index === place ? { ...node, content: [unique] } : node));
      const before = normalize({ type: "doc", content }).doc;
      onlyChanged(before, replaceText(before, "unique words", "other"), place, place + 1);
    });
  });
});

describe("footnotes of a fragment", () => {
  const doc = parseMarkdown("a[^1] b[^x]\n\n[^1]: old one\n\n[^x]: old x\n\n# h");
  const labelsOf = (part: DocJSON): [string, unknown][] =>
    [...nodesOf(part)].filter((node) => node.type.startsWith("footnote")).map((node) => [node.type, node.attrs?.label]);

  test("labels that collide are renamed in the fragment, in references and definitions alike", () => {
    const result = append(doc, parseMarkdown("c[^1] d[^y] e[^1]\n\n[^1]: new one\n\n[^y]: new y"));
    const labels = labelsOf(result);
    expect(labels.slice(0, 4)).toEqual(labelsOf(doc));
    const [first, second, third, firstNote, secondNote] = labels.slice(4).map(([, label]) => label);
    expect([third, firstNote]).toEqual([first, first]);
    expect(["1", "x"]).not.toContain(first);
    expect([second, secondNote]).toEqual(["y", "y"]);
    expect(parseMarkdown(serializeMarkdown(result))).toEqual(result);
  });

  test("labels that differ only in case collide", () => {
    const result = append(doc, parseMarkdown("c[^X]\n\n[^X]: new"));
    const labels = labelsOf(result).map(([, label]) => String(label).toLowerCase());
    expect(labels.filter((label) => label === "x")).toHaveLength(2);
  });

  test("a new label does not collide with another of the fragment or of the document", () => {
    const crowded = parseMarkdown("a[^1] b[^1-1] c[^1-2]\n\n[^1]: x\n\n[^1-1]: y\n\n[^1-2]: z");
    const result = append(crowded, parseMarkdown("d[^1] e[^2] f[^1-3]\n\n[^1]: p\n\n[^2]: q\n\n[^1-3]: r"));
    const definitions = labelsOf(result)
      .filter(([type]) => type === "footnoteDefinition")
      .map(([, label]) => label);
    expect(new Set(definitions).size).toBe(6);
  });
});

describe("an edit that names nothing", () => {
  const doc = parseMarkdown("# One\n\ntwice twice\n\n## Two {#two}\n\nbody");

  test("a heading that is not there is HEADING_NOT_FOUND", () => {
    const missing = expect.objectContaining({ name: "CodecError", code: "HEADING_NOT_FOUND" });
    expect(() => insertAfterHeading(doc, "Three", fragment)).toThrow(missing);
    expect(() => replaceSection(doc, "Three", fragment)).toThrow(missing);
  });

  test("a text that is not there, or there more than once, is TEXT_NOT_FOUND with the count", () => {
    const notFound = (count: number): unknown => expect.objectContaining({ code: "TEXT_NOT_FOUND", count });
    expect(() => replaceText(doc, "absent", "x")).toThrow(notFound(0));
    expect(() => replaceText(doc, "twice", "x")).toThrow(notFound(2));
  });

  test("what is edited is not changed in place", () => {
    const before = structuredClone(doc);
    append(doc, fragment);
    prepend(doc, fragment);
    insertAfterHeading(doc, "One", fragment);
    replaceSection(doc, "Two", fragment);
    replaceText(doc, "body", "corpse");
    expect(doc).toEqual(before);
  });

  test("outline lists level, id, text and path of each heading", () => {
    expect(outline(doc)).toEqual([
      { level: 1, id: null, text: "One", path: [0] },
      { level: 2, id: "two", text: "Two", path: [2] },
    ]);
  });
});
