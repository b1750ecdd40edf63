import { describe, expect, test } from "vitest";
import type { Codec } from "../src/create-codec.ts";
import * as ownEntry from "../src/create-codec.ts";
import * as htmlEntry from "../src/html.ts";
import * as codec from "../src/index.ts";
import * as onDemand from "../src/on-demand.ts";
import * as serializeOnly from "../src/serialize-only.ts";
import * as withHtml from "../src/with-html.ts";
import { ownCodecWithHtml } from "./own-codec.ts";

const { CodecError, parseMarkdown } = codec;

/** Calls with a value that may be none of those that a function takes; each name begins with that of its function. */
type Uses = Record<string, (value: never) => unknown>;

/** The functions that the main entry and a codec of `createCodec` have. */
type Functions = Omit<Codec, "schema" | "definitions">;

const usesOfDocument = (functions: Functions): Uses => ({
  serializeMarkdown: (value) => functions.serializeMarkdown(value),
  normalize: (value) => functions.normalize(value),
  toHtml: (value) => functions.toHtml(value),
  toReadingHtml: (value) => functions.toReadingHtml(value),
  toPlainText: (value) => functions.toPlainText(value),
  outline: (value) => functions.outline(value),
  section: (value) => functions.section(value, "a"),
  append: (value) => functions.append(value, parseMarkdown("a")),
  "append of it": (value) => functions.append(parseMarkdown("a"), value),
  prepend: (value) => functions.prepend(value, parseMarkdown("a")),
  insertAfterHeading: (value) => functions.insertAfterHeading(value, "a", parseMarkdown("a")),
  replaceSection: (value) => functions.replaceSection(value, "a", parseMarkdown("a")),
  replaceText: (value) => functions.replaceText(value, "a", "b"),
  replaceTexts: (value) => functions.replaceTexts(value, [{ oldText: "a", newText: "b" }]),
  "merge of a base": (value) => functions.merge(value, parseMarkdown("a"), parseMarkdown("a")),
  "merge of mine": (value) => functions.merge(parseMarkdown("a"), value, parseMarkdown("a")),
  "merge of theirs": (value) => functions.merge(parseMarkdown("a"), parseMarkdown("a"), value),
  diff: (value) => functions.diff(value, "a"),
  mapAddresses: (value) => functions.mapAddresses(value, () => undefined),
});

const usesOfText = (functions: Functions): Uses => ({
  parseMarkdown: (value) => functions.parseMarkdown(value),
  "section of it": (value) => functions.section(parseMarkdown("# a"), value),
  "insertAfterHeading of it": (value) => functions.insertAfterHeading(parseMarkdown("# a"), value, "b"),
  "replaceSection of it": (value) => functions.replaceSection(parseMarkdown("# a"), value, "b"),
  "replaceText of it": (value) => functions.replaceText(parseMarkdown("a"), value, "b"),
  "replaceText by it": (value) => functions.replaceText(parseMarkdown("a"), "a", value),
});

function within(entry: string, uses: Uses): Uses {
  return Object.fromEntries(Object.entries(uses).map(([name, use]) => [`${entry}.${name}`, use]));
}

/** Every function that takes a document. */
const uses: Uses = {
  ...usesOfDocument(codec),
  headings: (value) => codec.headings(value, "a"),
  renameDialect: (value) => codec.renameDialect(value, "prosemirror"),
  fromDialect: (value) => codec.fromDialect(value, "milkdown"),
  "html.toHtml": (value) => htmlEntry.toHtml(value),
  "on-demand.serializeMarkdown": (value) => onDemand.serializeMarkdown(value),
  "serialize-only.serializeMarkdown": (value) => serializeOnly.serializeMarkdown(value),
  "with-html.serializeMarkdown": (value) => withHtml.serializeMarkdown(value),
  "with-html.normalize": (value) => withHtml.normalize(value),
  ...within("createCodec()", usesOfDocument(ownCodecWithHtml)),
};

/** Every function that takes a text, or a word of a list. */
const usesOfTexts: Uses = {
  ...usesOfText(codec),
  isSafeUrl: (value) => codec.isSafeUrl(value),
  "renameDialect to it": (value) => codec.renameDialect(parseMarkdown("a"), value),
  "fromDialect of it": (value) => codec.fromDialect(parseMarkdown("a"), value),
  "html.isSafeUrl": (value) => htmlEntry.isSafeUrl(value),
  "html.escapeHtml": (value) => htmlEntry.escapeHtml(value),
  "on-demand.parseMarkdown": (value) => onDemand.parseMarkdown(value),
  "with-html.parseMarkdown": (value) => withHtml.parseMarkdown(value),
  ...within("createCodec()", usesOfText(ownCodecWithHtml)),
};

/** The functions that take neither, or answer for any value. Definitions have tests below. */
const others = [
  "validate",
  "createCodec().validate",
  "create-codec.createCodec",
  "html.isMathElement",
  "html.isMathAttribute",
];

function functionsOf(exports: object, entry = ""): string[] {
  const isFunction = ([name, value]: [string, unknown]): boolean => typeof value === "function" && /^[a-z]/.test(name);
  return Object.entries(exports)
    .filter(isFunction)
    .map(([name]) => entry + name);
}

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
  test("every function that an entry for documents exports has its use here", () => {
    const calls = Object.keys({ ...uses, ...usesOfTexts });
    const used = new Set([...others, ...calls.map((name) => name.replace(/ .*/, ""))]);
    const exported = [
      ...functionsOf(codec),
      ...functionsOf(htmlEntry, "html."),
      ...functionsOf(onDemand, "on-demand."),
      ...functionsOf(serializeOnly, "serialize-only."),
      ...functionsOf(withHtml, "with-html."),
      ...functionsOf(ownEntry, "create-codec."),
      ...functionsOf(ownCodecWithHtml, "createCodec()."),
    ];
    expect(exported.filter((name) => !used.has(name))).toEqual([]);
  });

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

  test.for(Object.entries(usesOfTexts))("%s, which takes a text", async ([, use]) => {
    for (const value of [undefined, null, 5, [], {}]) {
      const call = async (): Promise<unknown> => use(valueOfAnyType(value));
      await expect(call(), String(JSON.stringify(value))).rejects.toThrow(CodecError);
    }
  });

  test("replaceTexts, which takes a list of two texts each, names the edit that is none", () => {
    for (const { replaceTexts } of [codec, ownCodecWithHtml]) {
      const doc = parseMarkdown("a b");
      const replace = (edits: unknown): unknown => replaceTexts(doc, valueOfAnyType(edits));
      for (const edits of [undefined, null, 5, "a", {}, { length: 1 }]) {
        expect(() => replace(edits)).toThrow(expect.objectContaining({ code: "INVALID_DOC", edit: undefined }));
      }
      const right = { oldText: "a", newText: "c" };
      for (const edit of [undefined, null, 5, "a", [], {}, { oldText: "b" }, { oldText: "b", newText: 5 }]) {
        expect(() => replace([right, edit])).toThrow(expect.objectContaining({ code: "INVALID_DOC", edit: 1 }));
      }
      const hole = Object.assign([], { length: 1 });
      expect(() => replace(hole)).toThrow(expect.objectContaining({ code: "INVALID_DOC", edit: 0 }));
    }
  });

  test("createCodec refuses what is no object of lists of definitions, with its path", () => {
    const create = (definitions: unknown) => (): unknown => ownEntry.createCodec(valueOfAnyType(definitions));
    for (const value of [null, 5, "a"]) {
      const refused = (path: readonly unknown[]): unknown =>
        expect.objectContaining({ code: "INVALID_DEFINITION", path });
      expect(create(value)).toThrow(refused([]));
      expect(create({ nodes: value })).toThrow(refused(["nodes"]));
      expect(create({ marks: value })).toThrow(refused(["marks"]));
      expect(create({ nodes: [value] })).toThrow(refused(["nodes", 0, "name"]));
      expect(create({ marks: [value] })).toThrow(refused(["marks", 0, "name"]));
    }
  });
});
