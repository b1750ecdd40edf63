import { describe, expect, test } from "vitest";
import { normalize, parseMarkdown, toHtml, toPlainText, validate } from "../src/index.ts";
import { schema } from "../src/schema.ts";
import { asDocument, type Json, nodesOf } from "./json.ts";
import { holdsForText } from "./laws.ts";

/** Markdown that is written back as it is, the node that it holds with its attributes, its words and its HTML. */
type Construct = [what: string, markdown: string, type: string, attrs: object, words: string, html: string];

const constructs: Construct[] = [
  [
    "a callout",
    "> [!NOTE]\n> a\n>\n> - b",
    "callout",
    { kind: "note", title: null, folded: null, fence: null },
    "a\nb",
    '<div class="callout callout-note">\n<p><bdi>note</bdi></p>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</div>\n',
  ],
  [
    "a callout with a title, folded",
    "> [!WARNING]- A *title*\n> a",
    "callout",
    { kind: "warning", title: "A *title*", folded: true, fence: null },
    "A title\na",
    '<details class="callout callout-warning">\n<summary>A *title*</summary>\n<p>a</p>\n</details>\n',
  ],
  [
    "a directive that is a callout",
    ":::tip[A title]\n\na\n\n:::",
    "callout",
    { kind: "tip", title: "A title", folded: null, fence: "loose" },
    "A title\na",
    '<div class="callout callout-tip">\n<p>A title</p>\n<p>a</p>\n</div>\n',
  ],
  [
    "a directive without blank lines",
    ":::danger\na\n:::",
    "callout",
    { kind: "danger", title: null, folded: null, fence: "tight" },
    "a",
    '<div class="callout callout-danger">\n<p><bdi>danger</bdi></p>\n<p>a</p>\n</div>\n',
  ],
  [
    "a directive that reports a success",
    ":::success[Done]\na\n:::",
    "callout",
    { kind: "success", title: "Done", folded: null, fence: "tight" },
    "Done\na",
    '<div class="callout callout-success">\n<p>Done</p>\n<p>a</p>\n</div>\n',
  ],
  ...["important", "caution", "tip"].map(
    (kind): Construct => [
      `a callout of the kind ${kind}`,
      `> [!${kind.toUpperCase()}]\n> a`,
      "callout",
      { kind, title: null, folded: null, fence: null },
      "a",
      `<div class="callout callout-${kind}">\n<p><bdi>${kind}</bdi></p>\n<p>a</p>\n</div>\n`,
    ],
  ),
  [
    "details",
    "<details open>\n<summary>A &lt; b</summary>\n\na\n\n</details>",
    "details",
    { summary: "A < b", open: true },
    "A < b\na",
    '<details open="">\n<summary>A &lt; b</summary>\n<p>a</p>\n</details>\n',
  ],
  [
    "a formula of its own",
    "$$\n\\frac{a}{b} *c*\n\n  d_1\n$$",
    "blockMath",
    { latex: "\\frac{a}{b} *c*\n\n  d_1" },
    "\\frac{a}{b} *c*\n\n  d_1",
    '<pre><code class="math">\\frac{a}{b} *c*\n\n  d_1\n</code></pre>\n',
  ],
  [
    "a formula within a line",
    "a $x_1 * y$ b",
    "inlineMath",
    { latex: "x_1 * y", display: false },
    "a x_1 * y b",
    '<p>a <code class="math">x_1 * y</code> b</p>\n',
  ],
  [
    "a displayed formula within a line",
    "a $$x$$ b",
    "inlineMath",
    { latex: "x", display: true },
    "a x b",
    '<p>a <code class="math">x</code> b</p>\n',
  ],
  [
    "a mention",
    "a [@Jane Doe](kb://users/7f-2) b",
    "mention",
    { id: "7f-2", label: "Jane Doe" },
    "a @Jane Doe b",
    '<p>a <span class="mention" data-target="7f-2">@Jane Doe</span> b</p>\n',
  ],
  [
    "a link to a page",
    "a [[Some page|its name]] b",
    "wikiLink",
    { source: "[[Some page|its name]]" },
    "a its name b",
    '<p>a <span class="wiki-link" data-target="Some page">its name</span> b</p>\n',
  ],
  [
    "an embedded file",
    "![[a.png]]",
    "wikiLink",
    { source: "![[a.png]]" },
    "a.png",
    '<p><span class="wiki-link" data-target="a.png">a.png</span></p>\n',
  ],
];

describe("a construct with a node of its own", () => {
  test.for(constructs)("%s is read, written back, shown, searched, and accepted by the schema", (construct) => {
    const [, source, type, attrs, words, html] = construct;
    const { doc, markdown } = holdsForText(source);
    expect(markdown).toBe(`${source}\n`);
    expect([...nodesOf(doc)].find((node) => node.type === type)?.attrs).toEqual(attrs);
    expect(toPlainText(doc)).toBe(words);
    expect(toHtml(doc)).toBe(html);
    expect(validate(doc, { strict: true })).toEqual({ ok: true, doc });
    expect(() => schema.nodeFromJSON(doc).check()).not.toThrow();
  });

  test.for(constructs)("%s in every container", ([, source, type]) => {
    for (const [first, others] of [
      ["> ", "> "],
      ["- ", "  "],
      ["12. ", "    "],
      ["- [ ] a\n\n  ", "  "],
      ["[^1]: a\n\n    ", "    "],
      ["> [!TIP]\n>\n> ", "> "],
      [":::info\n\n", ""],
      ["<details>\n\n", ""],
    ]) {
      const close = first?.startsWith(":") ? "\n\n:::" : first?.startsWith("<") ? "\n\n</details>" : "";
      const text = `a[^1]\n\n${first}${source.replaceAll("\n", `\n${others}`)}${close}\n\nend`;
      // A directive in a directive needs one that is longer.
      if (first?.startsWith(":") && source.startsWith(":")) continue;
      const found = [...nodesOf(holdsForText(text).doc)].map((node) => node.type);
      expect(found, text).toContain(type);
    }
  });
});

describe("what only looks like one", () => {
  test.for([
    ["prices", "$5 and $6, $7-$9, US$10 or 10$ and 20$"],
    ["a variable", "$HOME and $PATH"],
    ["an escaped sign", "\\$x\\$ and \\[\\[a]]"],
    ["brackets that nothing closes", "[[a and [[]] and [[a\nb]]"],
    ["a formula that nothing closes", "$$\n\na"],
    ["a callout that is not at the head of a quote", "> a\n> [!NOTE]\n\n[!NOTE]\n\n> \\[!NOTE]"],
    ["a link with an at sign elsewhere", "[@a](https://a.b) [a](kb://users/1) [@a](kb://users/1/2)"],
  ])("is text as ever: %s", ([, text = ""]) => {
    const types = [...nodesOf(holdsForText(text).doc)].map((node) => node.type);
    for (const type of ["callout", "blockMath", "inlineMath", "mention", "wikiLink"]) expect(types).not.toContain(type);
  });

  test("details that nothing closes, and an end that nothing opens, stay as they are", () => {
    for (const text of ["<details>\n\na\n", "a\n\n</details>\n", "<details class=x>\n\na\n\n</details>\n"]) {
      expect(holdsForText(text).markdown).toBe(text);
    }
  });

  test("a directive after text without a blank line is kept as it is", () => {
    expect(holdsForText("a\n:::note\nb\n:::\n").markdown).toBe("a\n:::note\nb\n:::\n");
  });

  test("a directive with a title without brackets is no callout, and is kept as it is", () => {
    const { doc, markdown } = holdsForText(":::note A title\na\n:::\n");
    expect(doc.content).toEqual([
      { type: "rawBlock", attrs: { kind: "directive", source: ":::note A title\na\n:::", tight: false } },
    ]);
    expect(markdown).toBe(":::note A title\na\n:::\n");
  });
});

describe("lists as GFM has them", () => {
  test("tasks in numbered lists, and tasks beside other items, stay in one list", () => {
    for (const text of ["1. [ ] a\n2. [x] b\n3. c\n", "- a\n- [x] b\n  - [ ] c\n  - d\n- e\n"]) {
      const { doc, markdown } = holdsForText(text);
      expect(markdown).toBe(text);
      expect(doc.content).toHaveLength(1);
    }
  });

  test("definitions of footnotes stay in the item and in the quote where they stand", () => {
    const text = "- a[^1]\n\n  [^1]: b\n\n> c[^2]\n>\n> [^2]: d\n>\n>     e\n";
    const { doc, markdown } = holdsForText(text);
    expect(markdown).toBe(text);
    expect([...nodesOf(doc)].filter((node) => node.type === "footnoteDefinition")).toHaveLength(2);
    expect([...nodesOf(doc)].filter((node) => node.type === "footnoteReference")).toHaveLength(2);
  });
});

describe("bare addresses", () => {
  test("are links in JSON and HTML, and are written back bare", () => {
    const text = "see https://a.example/b_c?d=e&f=g, (www.a.example/h(i)) or me@a.example.\n";
    const { doc, markdown } = holdsForText(text);
    expect(markdown).toBe(text);
    const links = [...nodesOf(doc)].flatMap(({ marks }) => (marks ?? []).map((mark) => mark.attrs?.href));
    expect(links).toEqual(["https://a.example/b_c?d=e&f=g", "http://www.a.example/h(i)", "mailto:me@a.example"]);
    expect(toHtml(doc)).toContain('<a href="mailto:me@a.example">me@a.example</a>');
  });

  test("are not made of code, of the text of links, and within words", () => {
    const { doc } = holdsForText("`https://a.example` [https://a.example](/b) xhttps://a.example a@b");
    const links = [...nodesOf(doc)].flatMap(({ marks }) => marks ?? []).filter((mark) => mark.type === "link");
    expect(links.map((mark) => mark.attrs?.href)).toEqual(["/b"]);
  });

  test("have brackets where what stands beside would belong to them", () => {
    const link = (text: string): Json => ({
      type: "text",
      text,
      marks: [{ type: "link", attrs: { href: text, title: null } }],
    });
    const doc = asDocument([{ type: "paragraph", content: [link("https://a.example"), { type: "text", text: "/b" }] }]);
    expect(holdsForText("<https://a.example>/b").doc).toEqual(normalize(doc).doc);
  });
});

describe("nodes that Markdown cannot hold as they are", () => {
  test.for<[string, Json, string]>([
    ["a formula with a sign inside", { type: "inlineMath", attrs: { latex: "a$b" } }, "a$b"],
    ["a mention without an id", { type: "mention", attrs: { id: "", label: "Jane" } }, "@Jane"],
    ["a link to no page", { type: "wikiLink", attrs: { source: "[[]]" } }, "[[]]"],
  ])("become text, and are reported: %s", ([, node, text]) => {
    const { doc, changes } = normalize(asDocument([{ type: "paragraph", content: [node] }]));
    expect(toPlainText(doc)).toBe(text);
    expect(changes).toHaveLength(1);
  });

  test("a formula with a line of $$ becomes code, and is reported", () => {
    const { doc, changes } = normalize(asDocument([{ type: "blockMath", attrs: { latex: "a\n$$\nb" } }]));
    expect(doc.content[0]?.type).toBe("codeBlock");
    expect(changes).toHaveLength(1);
  });

  test("200 levels of details are refused like any other nesting", () => {
    const text = "<details>\n\n".repeat(300) + "</details>\n\n".repeat(300);
    expect(() => parseMarkdown(text)).toThrow(expect.objectContaining({ code: "NESTING" }));
  });
});
