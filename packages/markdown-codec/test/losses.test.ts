import { describe, expect, test } from "vitest";
import { normalize, parseMarkdown, serializeMarkdown, toHtml, toPlainText } from "../src/index.ts";
import { asDocument, type Json, nodesOf } from "./json.ts";
import { holdsForText } from "./laws.ts";
import { mdastReading } from "./read-mdast.ts";

/** The marks that lie anywhere in what a text says. */
function marksOf(text: string): string[] {
  return [...nodesOf(holdsForText(text).doc)].flatMap((node) => (node.marks ?? []).map((mark) => mark.type));
}

describe("signs that people use for other things stay text", () => {
  test.for([
    "C++11 and C++14",
    "C++ and a++ b++",
    "10^4+10^5",
    "r^2…r^2",
    "~/a…~/b",
    "(~/a,~/b)",
    "~100-~200",
    "a ==~==~ b",
  ])("%s", (text) => {
    const { doc } = holdsForText(text);
    const paragraph = doc.content[0];
    expect(paragraph?.content?.map((node) => node.text).join("")).toBe(text === "a ==~==~ b" ? "a ~~ b" : text);
    if (text !== "a ==~==~ b") expect(marksOf(text)).toEqual([]);
  });

  test.for([
    ["Emoticon: ^_^ and ~_~ ok", "Emoticon: ^^ and ~~ ok", "italic"],
    ["use ^*~^*~ as regex", "use ^~^~ as regex", "italic"],
  ])("%s: pairs nest or are text", ([text = "", plain, mark]) => {
    expect(toPlainText(holdsForText(text).doc)).toBe(plain);
    expect(new Set(marksOf(text))).toEqual(new Set([mark]));
  });

  test.for([
    ["H~2~O", "subscript"],
    ["x^2^", "superscript"],
    ["x^2^y", "superscript"],
    ["x^a+b^ c", "superscript"],
    ["*x^2^*", "superscript"],
    ["++a++ b", "underline"],
    ["(++a++)", "underline"],
  ])("%s is still markup", ([text = "", mark]) => {
    expect(marksOf(text)).toContain(mark);
  });
});

describe("what other readers make of our output", () => {
  test("a break after an address is a break, and the address ends where it ends", () => {
    for (const text of ["see https://e.com/x \\\nnext", "see https://e.com/x  \\\nnext", "a &#32;\\\nb"]) {
      const markdown = serializeMarkdown(parseMarkdown(text));
      expect(markdown).not.toContain("&#");
      expect(JSON.stringify(mdastReading(markdown))).toContain('["break"]');
    }
  });

  test("a rule at the very top is no front matter", () => {
    const { markdown } = holdsForText("***\n\na\n\n---\n\nb");
    expect(markdown).toBe("***\n\na\n\n---\n\nb\n");
    expect(serializeMarkdown(parseMarkdown("> ---"))).toBe("> ---\n");
  });
});

describe("ids in HTML", () => {
  const idsOf = (html: string): string[] => [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id);

  test("no two elements have the same", () => {
    const html = toHtml(
      parseMarkdown(
        "# a {#x}\n\n# b {#x}\n\n# c {#x-2}\n\n# d {#fn-1}\n\n# e {#fnref-1}\n\nf[^1] g[^1] h[^1-2]\n\n[^1]: i\n\n[^1]: j\n\n[^1-2]: k",
      ),
    );
    expect(new Set(idsOf(html)).size).toBe(idsOf(html).length);
    expect(idsOf(html).slice(0, 3)).toEqual(["x", "x-3", "x-2"]);
    expect(html).toContain('href="#fn-1"');
    expect(idsOf(html)).toEqual(expect.arrayContaining(["fn-1", "fnref-1"]));
  });

  test("a heading without one gets one of its words where `headingIds` says so", () => {
    const doc = parseMarkdown("# One & two\n\n## One & two\n\n# ¿Qué? {#own}\n\n# *日本語* `x`\n\n# !\n\n# Own");
    expect(idsOf(toHtml(doc))).toEqual(["own"]);
    const expected = ["one--two", "one--two-2", "own", "日本語-x", "section", "own-2"];
    expect(idsOf(toHtml(doc, { headingIds: true }))).toEqual(expected);
    const atoms = parseMarkdown("# [[Page|Text]] of [@Ada](kb://users/1), $x$ ![map](/m) [^1]\n\n[^1]: a");
    expect(idsOf(toHtml(atoms, { headingIds: true }))[0]).toBe("text-of-ada-x-map");
  });
});

describe("attributes and marks without a place in Markdown are reported, each with its path", () => {
  const text = (marks?: Json["marks"]): Json => ({ type: "text", text: "a", ...(marks ? { marks } : {}) });
  const cases: [what: string, content: Json[], message: string, path: (string | number)[]][] = [
    [
      "textAlign of a paragraph",
      [{ type: "paragraph", attrs: { textAlign: "center" }, content: [text()] }],
      "textAlign",
      ["content", 0],
    ],
    [
      "textAlign of a heading",
      [{ type: "heading", attrs: { level: 1, textAlign: "right" } }],
      "textAlign",
      ["content", 0],
    ],
    [
      "width of an image",
      [{ type: "paragraph", content: [{ type: "image", attrs: { src: "/a", width: 10 } }] }],
      "width",
      ["content", 0, "content", 0],
    ],
    [
      "color of a mark",
      [{ type: "paragraph", content: [text([{ type: "highlight", attrs: { color: "red" } }])] }],
      "color",
      ["content", 0, "content", 0],
    ],
    [
      "target of a link",
      [{ type: "paragraph", content: [text([{ type: "link", attrs: { href: "/a", target: "_blank" } }])] }],
      "target",
      ["content", 0, "content", 0],
    ],
    [
      "background of a cell",
      [
        {
          type: "table",
          content: [
            {
              type: "tableRow",
              content: [{ type: "tableHeader", attrs: { background: "red" }, content: [{ type: "paragraph" }] }],
            },
          ],
        },
      ],
      "background",
      ["content", 0],
    ],
    [
      "a mark on a break that its neighbours do not have",
      [{ type: "paragraph", content: [text(), { type: "hardBreak", marks: [{ type: "bold" }] }, text()] }],
      "hardBreak",
      ["content", 0, "content", 1],
    ],
    [
      "the type of an ordered list",
      [
        {
          type: "orderedList",
          attrs: { start: 1, type: "a" },
          content: [{ type: "listItem", content: [{ type: "paragraph" }] }],
        },
      ],
      "type",
      ["content", 0],
    ],
  ];

  test.for(cases)("%s", ([, content, message, path]) => {
    const doc = asDocument(content);
    expect(normalize(doc).changes).toEqual([{ path, message: expect.stringContaining(message) }]);
    expect(() => serializeMarkdown(doc, { strict: true })).toThrow(expect.objectContaining({ code: "UNSUPPORTED" }));
  });

  test("what says nothing is no loss: null, and attributes that are complete", () => {
    const doc = asDocument([{ type: "paragraph", attrs: { textAlign: null }, content: [text()] }]);
    expect(normalize(doc).changes).toEqual([]);
    expect(normalize(doc).doc).toEqual(asDocument([{ type: "paragraph", content: [text()] }]));
  });
});
