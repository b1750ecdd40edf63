import { describe, expect, test } from "vitest";
import { type Codec, createCodec, type MarkDefinition } from "../src/create-codec.ts";
import type { DocJSON, MarkJSON, NodeJSON } from "../src/index.ts";
import { codecLaws } from "../src/testing.ts";

const COLOR: MarkDefinition = {
  name: "color",
  spec: { attrs: { name: { validate: "string" }, strong: { default: false, validate: "boolean" } } },
  markdown: {
    delimiter: "%%",
    read: (source) => {
      const [, name, sign] = /^([a-z]+)(!?)$/.exec(source) ?? [];
      return name === undefined ? undefined : { name, strong: sign === "!" };
    },
    write: ({ name, strong }) => `${name}${strong === true ? "!" : ""}`,
  },
  html: ({ name, strong }) => ({ tag: strong === true ? "mark" : "span", attrs: { "data-color": String(name) } }),
  examples: [{ name: "red" }, { name: "blue", strong: true }],
};

const codec: Codec = createCodec({ marks: [COLOR] });

const color = (name: string, strong = false): MarkJSON => ({ type: "color", attrs: { name, strong } });
const text = (value: string, ...marks: MarkJSON[]): NodeJSON => ({
  type: "text",
  text: value,
  ...(marks.length > 0 && { marks }),
});
const asDoc = (...content: NodeJSON[]): DocJSON => ({ type: "doc", content: [{ type: "paragraph", content }] });

/** Holds that a line of text is these nodes, and is written the same again. */
function isRead(markdown: string, ...nodes: NodeJSON[]): void {
  const doc = codec.parseMarkdown(`${markdown}\n`);
  expect(doc).toEqual(asDoc(...nodes));
  expect(codec.serializeMarkdown(doc)).toBe(`${markdown}\n`);
  expect(codec.validate(doc, { strict: true })).toEqual({ ok: true, doc });
  codec.schema.nodeFromJSON(doc).check();
}

describe("a mark with attributes", () => {
  test("says them in braces where it begins", () => {
    isRead("a %%{red}b%% c", text("a "), text("b", color("red")), text(" c"));
    isRead("%%{blue!}a **b**%%", text("a ", color("blue", true)), text("b", { type: "bold" }, color("blue", true)));
  });

  test("stands right beside itself with other attributes", () => {
    isRead(
      "%%{red}a%%%%{blue}b%%%%{red}c%%",
      ...["red", "blue", "red"].map((name, i) => text("abc"[i] ?? "", color(name))),
    );
  });

  test("ends where its sign stands, whatever follows", () => {
    isRead("%%{red}a%%{blue}b", text("a", color("red")), text("{blue}b"));
    isRead("%%{red}{blue}a%%", text("{blue}a", color("red")));
  });

  test("is text without attributes, without an end, and with attributes that `read` refuses", () => {
    for (const markdown of [
      "a %%b%% c",
      "%%{red}a",
      "%%{RED}a%%",
      "%%{}a%%",
      "%%{red} a%%",
      "%%%%{red}",
      "a%%",
      "%%{*a*}",
    ]) {
      const doc = codec.parseMarkdown(markdown);
      expect(JSON.stringify(doc)).not.toContain('"color"');
      expect(codec.parseMarkdown(codec.serializeMarkdown(doc))).toEqual(doc);
    }
    expect(codec.toPlainText(codec.parseMarkdown("%%{red}a"))).toBe("%%{red}a");
  });

  test("is shown as the element for its attributes, closed where they change", () => {
    const doc = asDoc(
      text("a", color("red")),
      text("b", { type: "bold" }, color("red")),
      text("c", color("blue", true)),
    );
    expect(codec.toHtml(doc)).toBe(
      '<p><span data-color="red">a<strong>b</strong></span><mark data-color="blue">c</mark></p>\n',
    );
  });

  test("can have the element of a mark of this package", () => {
    const keys = createCodec({ marks: [{ name: "key", markdown: { delimiter: "%%" }, html: { tag: "code" } }] });
    expect(keys.toHtml(keys.parseMarkdown("%%a%% `b` **%%c%%**"))).toBe(
      "<p><code>a</code> <code>b</code> <strong><code>c</code></strong></p>\n",
    );
  });

  test("is checked: attributes that are wrong, missing or unknown", () => {
    const withAttrs = (attrs: object): unknown => ({
      type: "doc",
      content: [{ type: "paragraph", content: [{ type: "text", text: "a", marks: [{ type: "color", attrs }] }] }],
    });
    expect(codec.validate(withAttrs({ name: "red" }))).toEqual({ ok: true, doc: asDoc(text("a", color("red"))) });
    for (const attrs of [{}, { name: 1 }, { name: "red", strong: "yes" }]) {
      expect(codec.validate(withAttrs(attrs))).toMatchObject({ ok: false, issues: [{ code: "INVALID_DOC" }] });
    }
    expect(codec.validate(withAttrs({ name: "red", size: 2 }), { strict: true })).toMatchObject({ ok: false });
  });

  test("is left out where Markdown cannot hold its attributes, and is reported", () => {
    const path = ["content", 0, "content", 0];
    const refused = { type: "color", attrs: { name: "not a name" } };
    expect(codec.normalize(asDoc(text("a", refused)))).toEqual({
      doc: asDoc(text("a")),
      changes: [{ path, message: "a color that Markdown cannot hold was left out" }],
    });
    const unknown = { type: "color", attrs: { name: "red", size: 2 } };
    expect(codec.normalize(asDoc(text("a", unknown)))).toEqual({
      doc: asDoc(text("a", color("red"))),
      changes: [{ path, message: "the attribute size of a color was left out" }],
    });
    expect(() => codec.serializeMarkdown(asDoc(text("a", refused)), { strict: true })).toThrow("In strict mode");
  });

  test("stays on what an edit does not name", () => {
    const doc = codec.parseMarkdown("Read %%{red}this page%% today.\n");
    expect(codec.serializeMarkdown(codec.replaceText(doc, "today", "tomorrow"))).toBe(
      "Read %%{red}this page%% tomorrow.\n",
    );
    expect(codec.serializeMarkdown(codec.append(doc, "%%{blue}x%%"))).toContain("\n\n%%{blue}x%%\n");
  });

  test("holds the laws", { timeout: 600_000 }, () => {
    codecLaws(codec, { runs: 300 });
  });
});

describe("a wrong definition of a mark with attributes is refused, with its place", () => {
  const wrong: [what: string, changes: object, path: (string | number)[]][] = [
    ["no functions for the attributes", { markdown: { delimiter: "%%" } }, ["marks", 0, "markdown", "read"]],
    ["functions without attributes", { spec: {} }, ["marks", 0, "markdown", "read"]],
    ["no example", { examples: [] }, ["marks", 0, "examples"]],
    ["an example that the spec refuses", { examples: [{ name: 1 }] }, ["marks", 0, "examples", 0]],
    [
      "an example that does not come back",
      { examples: [{ name: "red" }, { name: "a}b" }] },
      ["marks", 0, "examples", 1],
    ],
    ["a mark beside itself", { spec: { ...COLOR.spec, excludes: "" } }, ["marks", 0, "spec", "excludes"]],
    ["an element that runs", { html: () => ({ tag: "script" }) }, ["marks", 0, "html"]],
    ["a link", { html: () => ({ tag: "a", attrs: { href: "/" } }) }, ["marks", 0, "html"]],
    ["a function that fails", { html: () => JSON.parse("") }, ["marks", 0, "html"]],
  ];
  test.for(wrong)("%s", ([, changes, path]) => {
    const expected = { name: "CodecError", code: "INVALID_DEFINITION", path };
    expect(() => createCodec({ marks: [{ ...COLOR, ...changes }] })).toThrow(expect.objectContaining(expected));
  });
});
