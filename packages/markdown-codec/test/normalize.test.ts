import { describe, expect, test } from "vitest";
import { type Change, CodecError, type DocJSON, normalize, parseMarkdown, serializeMarkdown } from "../src/index.ts";
import { asDocument, type Json } from "./json.ts";
import { holdsForDocument } from "./laws.ts";

const text = (value: string, ...marks: Json["marks"] & object): Json =>
  marks.length > 0 ? { type: "text", text: value, marks } : { type: "text", text: value };
const paragraph = (...content: Json[]): Json =>
  content.length > 0 ? { type: "paragraph", content } : { type: "paragraph" };
const cell = (content: Json[], attrs: Record<string, unknown> = {}, type = "tableCell"): Json => ({
  type,
  attrs,
  content,
});
const table = (...rows: Json[][]): Json => ({
  type: "table",
  content: rows.map((content) => ({ type: "tableRow", content })),
});
const link = (href: string): { type: string; attrs: Record<string, unknown> } => ({
  type: "link",
  attrs: { href, title: null },
});
const image = (src: string, alt: string | null = "alt"): Json => ({ type: "image", attrs: { src, alt, title: null } });

/** One row of the README's table of what is normalised: the document given, and the Markdown of what is left. */
const rows: [what: string, given: Json[], markdown: string, isChange: boolean][] = [
  [
    "a cell of several blocks becomes one paragraph",
    [table([cell([paragraph(text("a")), paragraph(text("b"))])])],
    "| a<br>b |\n| --- |\n",
    true,
  ],
  [
    "spans become cells",
    [table([cell([paragraph(text("a"))], { colspan: 2 })], [cell([paragraph()]), cell([paragraph(text("b"))])])],
    "| a |  |\n| --- | --- |\n|  | b |\n",
    true,
  ],
  [
    "ragged rows are filled up",
    [table([cell([paragraph(text("a"))])], [cell([paragraph(text("b"))]), cell([paragraph(text("c"))])])],
    "| a |  |\n| --- | --- |\n| b | c |\n",
    true,
  ],
  ["a line feed in text becomes a hard break", [paragraph(text("a\nb"))], "a\\\nb\n", true],
  [
    "a control character is left out, a lone surrogate becomes U+FFFD",
    [paragraph(text("a\u0001b\ud800"))],
    "ab\ufffd\n",
    true,
  ],
  [
    "a reference without its footnote becomes text",
    [paragraph({ type: "footnoteReference", attrs: { label: "x" } })],
    "\\[\\^x]\n",
    true,
  ],
  ["a link to an address that runs becomes text", [paragraph(text("a", link("javascript:alert(1)")))], "a\n", true],
  [
    "an image from an address that runs becomes its description",
    [paragraph(image("javascript:alert(1)"))],
    "alt\n",
    true,
  ],
  [
    "an item that begins with another block gets an empty paragraph",
    [{ type: "bulletList", content: [{ type: "listItem", content: [{ type: "horizontalRule" }] }] }],
    "- ___\n",
    true,
  ],
  [
    "code on what is no text is left out",
    [paragraph({ ...image("/i.png"), marks: [{ type: "code" }] })],
    "![alt](/i.png)\n",
    true,
  ],
  ["neighbouring texts with equal marks are joined", [paragraph(text("a"), text("b"))], "ab\n", false],
  [
    "marks are put in the order of their rank",
    [paragraph(text("a", { type: "italic" }, { type: "bold" }))],
    "***a***\n",
    false,
  ],
  [
    "a start that is no list number becomes 1",
    [{ type: "orderedList", attrs: { start: -4 }, content: [{ type: "listItem", content: [paragraph(text("a"))] }] }],
    "1. a\n",
    true,
  ],
];

describe("normalize: what a document cannot keep in Markdown, and what becomes of it", () => {
  test.for(rows)("%s", ([, given, markdown, isChange]) => {
    const doc = asDocument(given);
    const { changes } = normalize(doc);
    expect(holdsForDocument(doc).markdown).toBe(markdown);
    expect(changes.length > 0, JSON.stringify(changes)).toBe(isChange);
    for (const change of changes) expect(change).toEqual({ path: expect.any(Array), message: expect.any(String) });
  });

  test("each change says where: its path leads to a node of the document that was given", () => {
    const doc = asDocument([paragraph(text("a")), { type: "blockquote", content: [paragraph(text("b\nc"))] }]);
    const [change] = normalize(doc).changes;
    expect(at(doc, change)).toBeDefined();
    expect(change?.path.slice(0, 4)).toEqual(["content", 1, "content", 0]);
  });

  test("strict: serializeMarkdown throws UNSUPPORTED instead of normalising, and parseMarkdown where a table has cells too many", () => {
    const doc = asDocument([paragraph(text("a\nb"))]);
    expect(() => serializeMarkdown(doc, { strict: true })).toThrow(expect.objectContaining({ code: "UNSUPPORTED" }));
    expect(serializeMarkdown(parseMarkdown("a\\\nb"), { strict: true })).toBe("a\\\nb\n");
    const wide = "a\n\n| a |\n| - |\n| b | c |";
    expect(() => parseMarkdown(wide, { strict: true })).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED", line: 3 }),
    );
    expect(parseMarkdown("[a]: b\n\n[c]: d\n\n[a]", { strict: true }).content).toHaveLength(2);
  });

  test("a document in normal form is given back as the same object", () => {
    const doc = parseMarkdown("# a\n\n- b\n\n| c |\n| - |\n| d |");
    expect(normalize(doc).doc).toBe(doc);
  });
});

/** The value that a change's path leads to. */
function at(doc: DocJSON, change: Change | undefined): unknown {
  let value: unknown = doc;
  for (const key of change?.path ?? []) value = (value as Record<string | number, unknown>)[key];
  return value;
}

describe("limits of reading", () => {
  test("more bytes than allowed are LIMIT, counted as UTF-8", () => {
    expect(() => parseMarkdown("ääää", { limits: { bytes: 7 } })).toThrow(expect.objectContaining({ code: "LIMIT" }));
    expect(parseMarkdown("ääää", { limits: { bytes: 8 } }).content).toHaveLength(1);
  });

  test("more nodes than allowed are LIMIT, wherever a document is read or written", () => {
    const text = "a\n\nb\n";
    const limit = expect.objectContaining({ code: "LIMIT" });
    expect(parseMarkdown(text, { limits: { nodes: 5 } }).content).toHaveLength(2);
    expect(() => parseMarkdown(text, { limits: { nodes: 4 } })).toThrow(limit);
    expect(() => serializeMarkdown(parseMarkdown(text), { limits: { nodes: 4 } })).toThrow(limit);
  });

  test("nesting to the limit is kept whole, and one level more is NESTING: text is never dropped", () => {
    const nested = (depth: number): string => `${"- ".repeat(depth)}core`;
    for (const depth of [1, 5, 99]) expect(serializeMarkdown(parseMarkdown(nested(depth)))).toContain("core");
    for (let depth = 95; depth < 130; depth += 1) {
      try {
        expect(JSON.stringify(parseMarkdown(nested(depth)))).toContain("core");
      } catch (error) {
        expect(error).toBeInstanceOf(CodecError);
        expect(error).toMatchObject({ code: "NESTING", line: 1 });
      }
    }
    expect(() => parseMarkdown("- - - a", { limits: { depth: 2 } })).toThrow(
      expect.objectContaining({ code: "NESTING" }),
    );
  });
});
