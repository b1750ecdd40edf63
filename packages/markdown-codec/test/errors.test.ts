import { describe, expect, test } from "vitest";
import * as codec from "../src/index.ts";

const { CodecError, parseMarkdown } = codec;

/** Every function that takes a document, called with a value that may be none. */
const uses: Record<string, (value: never) => unknown> = {
  serializeMarkdown: (value) => codec.serializeMarkdown(value),
  normalize: (value) => codec.normalize(value),
  toHtml: (value) => codec.toHtml(value),
  toPlainText: (value) => codec.toPlainText(value),
  outline: (value) => codec.outline(value),
  section: (value) => codec.section(value, "a"),
  append: (value) => codec.append(value, parseMarkdown("a")),
  "append of it": (value) => codec.append(parseMarkdown("a"), value),
  prepend: (value) => codec.prepend(value, parseMarkdown("a")),
  insertAfterHeading: (value) => codec.insertAfterHeading(value, "a", parseMarkdown("a")),
  replaceSection: (value) => codec.replaceSection(value, "a", parseMarkdown("a")),
  replaceText: (value) => codec.replaceText(value, "a", "b"),
  diff: (value) => codec.diff(value, "a"),
  renameDialect: (value) => codec.renameDialect(value, "prosemirror"),
  fromDialect: (value) => codec.fromDialect(value, "milkdown"),
  mapAddresses: (value) => codec.mapAddresses(value, () => undefined),
};

const paragraph = (content: unknown): unknown => ({ type: "doc", content: [{ type: "paragraph", content }] });

const wrong: [what: string, value: unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["a number", 7],
  ["an array", []],
  ["a child that is null", { type: "doc", content: [null] }],
  ["a child that is a string", { type: "doc", content: ["a"] }],
  ["content that is no list", { type: "doc", content: { length: 1 } }],
  ["content that is null", { type: "doc", content: null }],
  ["text that is a number", paragraph([{ type: "text", text: 5 }])],
  ["text that is missing", paragraph([{ type: "text" }])],
  ["marks that are no list", paragraph([{ type: "text", text: "a", marks: "bold" }])],
  ["a mark that is null", paragraph([{ type: "text", text: "a", marks: [null] }])],
  ["attributes that are a string", { type: "doc", content: [{ type: "heading", attrs: "x" }] }],
  ["a type that is a number", { type: "doc", content: [{ type: 1 }] }],
];

function valueOfAnyType(value: unknown): never {
  return value as never;
}

describe("whatever a function is given, what it throws is a CodecError", () => {
  test.for(Object.entries(uses))("%s", ([, use]) => {
    for (const [what, value] of wrong) {
      expect(() => use(valueOfAnyType(value)), what).toThrow(CodecError);
    }
  });

  test("the path leads to what is wrong", () => {
    const value = { type: "doc", content: [{ type: "blockquote", content: [{ type: "paragraph" }, null] }] };
    expect(() => codec.normalize(valueOfAnyType(value))).toThrow(
      expect.objectContaining({ code: "INVALID_DOC", path: ["content", 0, "content", 1] }),
    );
  });

  test("5,000 levels are NESTING, not a stack overflow", () => {
    let deep: unknown = { type: "paragraph" };
    for (let level = 0; level < 5_000; level += 1) deep = { type: "blockquote", content: [deep] };
    for (const [name, use] of Object.entries(uses)) {
      const call = (): unknown => use(valueOfAnyType({ type: "doc", content: [deep] }));
      expect(call, name).toThrow(expect.objectContaining({ code: "NESTING" }));
    }
  });

  test("texts, headings and dialects of another type are refused too", () => {
    const doc = parseMarkdown("a");
    for (const call of [
      () => codec.parseMarkdown(valueOfAnyType(undefined)),
      () => codec.parseMarkdown(valueOfAnyType(5)),
      () => codec.section(doc, valueOfAnyType(undefined)),
      () => codec.insertAfterHeading(doc, valueOfAnyType(5), doc),
      () => codec.replaceText(doc, valueOfAnyType(undefined), "a"),
      () => codec.replaceText(doc, "a", valueOfAnyType(undefined)),
      () => codec.renameDialect(doc, valueOfAnyType("other")),
      () => codec.fromDialect(doc, valueOfAnyType(undefined)),
    ]) {
      expect(call).toThrow(CodecError);
    }
  });
});
