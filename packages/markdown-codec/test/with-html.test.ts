import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Attrs, DocJSON, NodeJSON } from "../src/index.ts";
import * as plain from "../src/index.ts";
import { decorated } from "../src/testing/decorated.ts";
import * as codec from "../src/with-html.ts";
import { choices, pieces } from "./documents-with-html.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { holdsForDocument, holdsForText } from "./laws.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { isRefused } from "./refused.ts";
import { report, runs } from "./runs.ts";

const timeout = 24 * 3_600_000;

const doc = (...content: NodeJSON[]): DocJSON => ({ type: "doc", content });
const text = (value: string): NodeJSON => ({ type: "text", text: value });
const paragraph = (value: string, attrs?: Attrs): NodeJSON => ({
  type: "paragraph",
  ...(attrs ? { attrs } : undefined),
  content: [text(value)],
});
const cell = (content: NodeJSON[], attrs: Attrs = {}, type = "tableCell"): NodeJSON => ({
  type,
  attrs: { colspan: 1, rowspan: 1, colwidth: null, align: null, ...attrs },
  content,
});
const table = (...rows: NodeJSON[][]): NodeJSON => ({
  type: "table",
  content: rows.map((content) => ({ type: "tableRow", content })),
});
const list: NodeJSON = { type: "bulletList", content: [{ type: "listItem", content: [paragraph("x")] }] };

describe("what only HTML can say", () => {
  test("a table with spans, widths and blocks is written as HTML with Markdown in its cells, and read back", () => {
    const given = doc(
      table(
        [cell([paragraph("a")], { colspan: 2, colwidth: [80, 120] }, "tableHeader")],
        [cell([paragraph("b"), list], { align: "right" }), cell([paragraph("c")], { rowspan: 2 })],
        [cell([paragraph("d")])],
      ),
    );
    const { markdown } = holdsForDocument(given, {}, {}, codec);
    expect(codec.normalize(given)).toEqual({ doc: given, changes: [] });
    expect(markdown).toBe(`<table>
<tr>
<th colspan="2" colwidth="80,120">

a

</th>
</tr>
<tr>
<td align="right">

b

- x

</td>
<td rowspan="2">

c

</td>
</tr>
<tr>
<td>

d

</td>
</tr>
</table>
`);
    expect(codec.parseMarkdown(markdown)).toEqual(given);
  });

  test("aligned text and images with sizes are read back, in a quote too", () => {
    const image = { type: "image", attrs: { src: "/a?b&c", alt: 'a "b"', title: null, width: 120, height: "50%" } };
    const given = doc(
      paragraph("a", { textAlign: "center" }),
      { type: "heading", attrs: { level: 2, id: "x", textAlign: "right" }, content: [text("b")] },
      {
        type: "blockquote",
        content: [paragraph("c", { textAlign: "justify" }), { type: "paragraph", content: [image] }],
      },
    );
    const { markdown } = holdsForDocument(given, {}, {}, codec);
    expect(codec.normalize(given)).toEqual({ doc: given, changes: [] });
    expect(markdown).toBe(
      `<div align="center">\n\na\n\n</div>\n\n<div align="right">\n\n## b {#x}\n\n</div>\n\n> <div align="justify">\n>\n> c\n>\n> </div>\n>\n> <img src="/a?b&amp;c" alt="a &quot;b&quot;" width="120" height="50%">\n`,
    );
  });

  test("a table that GFM can say stays one, and other HTML stays as it is written", () => {
    for (const markdown of [
      "| a | b |\n| --- | :-: |\n| c | d |\n",
      "<table>\n<tr>\n<td>\n\na\n\n</td>\n</tr>\n</table>\n\n<table><tr><td>b</td></tr></table>\n",
      '<div align="left">\n\na\n\nb\n\n</div>\n',
      '<table>\n<tr>\n<td colspan="02">\n\na\n\n</td>\n</tr>\n</table>\n',
    ]) {
      expect(codec.serializeMarkdown(codec.parseMarkdown(markdown))).toBe(markdown);
    }
    const kinds = codec.parseMarkdown('<table>\n<tr>\n<td colspan="02">\n\na\n\n</td>\n</tr>\n</table>\n').content;
    expect(kinds.map(({ type }) => type)).toEqual(["rawBlock", "paragraph", "rawBlock"]);
  });

  test("the main entry reads the same Markdown without loss, as raw constructs, and reports what it makes plain", () => {
    const given = doc(paragraph("a", { textAlign: "center" }), table([cell([paragraph("b"), list])]));
    const markdown = codec.serializeMarkdown(given);
    expect(plain.serializeMarkdown(plain.parseMarkdown(markdown))).toBe(markdown);
    expect(plain.normalize(given).changes.map(({ path }) => path)).toEqual([
      ["content", 0],
      ["content", 1],
    ]);
  });

  test("what is still lost is reported at its place in the document that was given", () => {
    const given = doc(
      paragraph("a", { textAlign: "center" }),
      table([cell([paragraph("b", { textAlign: "left", color: "red" }), list], { background: "red" })]),
      { type: "bulletList", content: [{ type: "listItem", content: [paragraph("c", { textAlign: "center" })] }] },
      { type: "paragraph", content: [{ type: "image", attrs: { src: "/a", alt: null, title: null, width: -1 } }] },
    );
    const changes = codec.normalize(given).changes.map(({ path, message }) => `${path.join(".")}: ${message}`);
    expect(changes).toEqual([
      "content.1.content.0.content.0: the attribute background of a tableCell was left out",
      "content.1.content.0.content.0.content.0: the attribute color of a paragraph was left out",
      "content.2.content.0.content.0: the attribute textAlign of a paragraph was left out",
      "content.3.content.0: the attribute width of a image was left out",
    ]);
    expect(() => codec.serializeMarkdown(given, { strict: true })).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED", path: ["content", 1, "content", 0, "content", 0] }),
    );
  });

  test("an image as a data: URL is refused at its place, and an address that runs becomes no image", () => {
    const image = (src: string): NodeJSON => ({ type: "image", attrs: { src, alt: "a", title: null, width: 1 } });
    const given = doc(paragraph("a", { textAlign: "center" }), {
      type: "paragraph",
      content: [image("data:image/png,a")],
    });
    expect(() => codec.serializeMarkdown(given)).toThrow(
      expect.objectContaining({ code: "INLINE_IMAGE", path: ["content", 1, "content", 0] }),
    );
    const read = codec.parseMarkdown('<img src="javascript:a" alt="b" width="1">');
    expect(JSON.stringify(read)).not.toContain('"image"');
  });

  test("HTML output shows spans, alignment and sizes, escaped", () => {
    const image = { type: "image", attrs: { src: "/a", alt: "b", title: null, width: 120, height: '1" onload="x' } };
    const html = plain.toHtml(
      doc(
        table([cell([paragraph("a")], { colspan: 2, rowspan: 3, align: "right" }), cell([paragraph("b")])]),
        paragraph("c", { textAlign: "center" }),
        { type: "heading", attrs: { level: 1, id: "x", textAlign: "right" }, content: [image] },
      ),
    );
    expect(html).toContain('<td colspan="2" rowspan="3" align="right">a</td>\n<td>b</td>');
    expect(html).toContain('<p align="center">c</p>');
    expect(html).toContain(
      '<h1 id="x" align="right"><img src="/a" alt="b" width="120" height="1&quot; onload=&quot;x" /></h1>',
    );
  });

  test("tables within tables are read up to the limit of depth, and refused beyond it", () => {
    const nested = (depth: number): string =>
      `${"<table>\n<tr>\n<td>\n\na\n\n".repeat(depth)}${"</td>\n</tr>\n</table>\n\n".repeat(depth)}`;
    holdsForText(nested(20), {}, codec);
    expect(() => codec.parseMarkdown(nested(5_000))).toThrow(expect.objectContaining({ code: "NESTING" }));
    const unclosed = "<table>\n<tr>\n<td>\n\na\n\n".repeat(20_000);
    expect(codec.parseMarkdown(unclosed).content).toHaveLength(40_000);
  });
});

describe("the laws with HTML", () => {
  const forAll = <Value>(
    name: string,
    values: fc.Arbitrary<Value>,
    cases: number,
    holds: (value: Value) => unknown,
  ): void => {
    const chosen = runs(cases);
    let refused = 0;
    const property = fc.property(values, (value) => {
      try {
        holds(value);
      } catch (error) {
        if (!isRefused(error)) throw error;
        refused++;
      }
    });
    fc.assert(property, chosen);
    report(`${name} (${refused} refused)`, chosen);
    expect(refused).toBeLessThanOrEqual(chosen.numRuns / 20);
  };

  test("normalised documents survive writing and reading", { timeout }, () => {
    const holds = ([given, numbers]: readonly [DocJSON, number[]]): unknown =>
      holdsForDocument(decorated(given, numbers), {}, {}, codec);
    forAll("ordinary documents with HTML", fc.tuple(ordinaryDocuments, choices), 1_000, holds);
    forAll("hostile documents with HTML", fc.tuple(hostileDocuments, choices), 2_000, holds);
  });

  test("texts are read in normal form, and serialize is a fixpoint", { timeout }, () => {
    const texts = fc
      .tuple(pieces, fc.constantFrom("\n\n", "\n\n", "\n\n", "\n"), fc.constantFrom("", "> ", "- "))
      .map(
        ([parts, between, prefix]) =>
          prefix + parts.join(between).replaceAll("\n", prefix === "> " ? "\n> " : prefix === "" ? "\n" : "\n  "),
      );
    forAll("texts with HTML", texts, 8_000, (text) => holdsForText(text, {}, codec));
  });
});
