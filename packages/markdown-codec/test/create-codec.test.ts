import { describe, expect, test } from "vitest";
import { createCodec, type Definitions, type MarkDefinition, type NodeDefinition } from "../src/create-codec.ts";
import type { DocJSON, NodeJSON } from "../src/index.ts";
import * as plain from "../src/index.ts";
import { schema } from "../src/schema.ts";
import { cases, codecLaws } from "../src/testing.ts";
import { ownCodec as codec } from "./own-codec.ts";

const doc = (...content: NodeJSON[]): DocJSON => ({ type: "doc", content });
const text = (value: string, ...marks: string[]): NodeJSON => ({
  type: "text",
  text: value,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
});
const paragraph = (...content: NodeJSON[]): NodeJSON => ({ type: "paragraph", content });
const date = (day: string): NodeJSON => ({ type: "date", attrs: { day } });

const MARKDOWN = `# Plan {{2026-11-23}}

a %%b **c**%%, 50% of (?why) ''q'' end

:::figure[A map]

![x](/y)

- a

:::

@@ https://example.org/

\`\`\`chart
1 2
\`\`\`
`;

describe("a codec with nodes and marks of an integrator", () => {
  test("every form of Markdown is read as its node, and written the same", () => {
    const read = codec.parseMarkdown(MARKDOWN);
    expect(read.content.map(({ type }) => type)).toEqual(["heading", "paragraph", "figure", "embed", "chart"]);
    expect(read.content[0]?.content).toEqual([text("Plan "), date("2026-11-23")]);
    expect(read.content[1]?.content?.slice(0, 4)).toEqual([
      text("a "),
      text("b ", "spoiler"),
      text("c", "bold", "spoiler"),
      text(", 50% of "),
    ]);
    expect(read.content[2]?.attrs).toEqual({ caption: "A map" });
    expect(codec.serializeMarkdown(read)).toBe(MARKDOWN);
    expect(codec.serializeMarkdown(codec.schema.nodeFromJSON(read))).toBe(MARKDOWN);
  });

  test("HTML has the elements of the definitions, escaped, and marks that overlap nest", () => {
    const read = codec.parseMarkdown("a %%b **c%% d**\n\n:::figure[<A> & *b*]\nx\n:::\n\n{{2026-11-23}}\n");
    expect(codec.toHtml(read)).toBe(
      '<p>a <span class="spoiler">b <strong>c</strong></span><strong> d</strong></p>\n' +
        "<figure>\n<p>x</p>\n<figcaption>&lt;A&gt; &amp; *b*</figcaption></figure>\n" +
        '<p><time datetime="2026-11-23">2026-11-23</time></p>\n',
    );
    expect(codec.toReadingHtml(read)).toContain('<p dir="auto"><time datetime="2026-11-23">');
    expect(codec.toReadingHtml(codec.parseMarkdown(MARKDOWN))).toContain('<h1 id="plan-2026-11-23"');
  });

  test("plain text, outlines, sections and edits know the words of the nodes", () => {
    const read = codec.parseMarkdown(MARKDOWN);
    expect(codec.toPlainText(read)).toBe(
      "Plan 2026-11-23\na b c, 50% of why q end\nA map\nx\na\nhttps://example.org/\n1 2",
    );
    expect(codec.outline(read)).toEqual([{ level: 1, id: null, text: "Plan 2026-11-23", path: [0] }]);
    expect(codec.section(read, "Plan 2026-11-23")).toEqual(read);
    const edited = codec.insertAfterHeading(read, "# Plan 2026-11-23", "{{2027-01-01}}");
    expect(codec.serializeMarkdown(edited)).toBe(MARKDOWN.replace("\n\n", "\n\n{{2027-01-01}}\n\n"));
  });

  test("edits keep the nodes and marks that they do not name", () => {
    const read = codec.parseMarkdown(MARKDOWN);
    const replaced = codec.replaceText(read, "50% of", "half of {{2027-01-01}}");
    expect(codec.serializeMarkdown(replaced)).toBe(MARKDOWN.replace("50% of", "half of {{2027-01-01}}"));
    const inMark = codec.replaceText(read, "%%b **c**%%", "%%d%%");
    expect(inMark.content[1]?.content?.[1]).toEqual(text("d", "spoiler"));
    const appended = codec.append(read, doc(paragraph(date("2027-01-01"))));
    expect(appended.content.slice(0, -1)).toEqual(read.content);
    expect(appended.content.at(-1)).toEqual(paragraph(date("2027-01-01")));
    expect(codec.diff(read, appended)).toContain("+{{2027-01-01}}");
    const { doc: merged, conflicts } = codec.merge(read, appended, codec.prepend(read, "%%new%%"));
    expect(conflicts).toEqual([]);
    expect(codec.serializeMarkdown(merged)).toBe(`%%new%%\n\n${MARKDOWN}\n{{2027-01-01}}\n`);
  });

  test("text that looks like a construct is escaped, and a source that `read` refuses stays text", () => {
    const read = codec.parseMarkdown("{{nope}} x%%y%%z {{2026-11-23");
    expect(read.content[0]?.content?.[0]).toEqual(text("{{nope}} x"));
    for (const value of ["{{2026-11-23}}", "%%a%%", "100%", "''", "a (?b) c", "%%%%"]) {
      const given = doc(paragraph(text(value)));
      expect(codec.parseMarkdown(codec.serializeMarkdown(given)), value).toEqual(given);
    }
    expect(codec.serializeMarkdown(doc(paragraph(text("50% and (a?)"))))).toBe("50% and (a?)\n");
  });

  test("a directive whose blocks the node may not have is a callout, and the other way round", () => {
    const read = codec.parseMarkdown(":::columns\na\n:::\n\n:::columns\na\n\nb\n:::\n");
    expect(read.content.map(({ type }) => type)).toEqual(["callout", "columns"]);
    const short = doc({ type: "columns", content: [paragraph(text("a"))] });
    expect(codec.validate(short)).toMatchObject({ ok: false, issues: [{ path: ["content", 0, "content"] }] });
    expect(codec.normalize(short).doc.content[0]?.type).toBe("callout");
  });

  test("`validate` knows the nodes, their attributes and the marks, and refuses what the main entry refuses", () => {
    const read = codec.parseMarkdown(MARKDOWN);
    expect(codec.validate(read, { strict: true })).toEqual({ ok: true, doc: read });
    expect(plain.validate(read).ok).toBe(false);
    for (const [wrong, path] of [
      [doc(paragraph({ type: "date", attrs: { day: 1 } })), ["content", 0, "content", 0, "attrs", "day"]],
      [doc(date("2026-11-23")), ["content", 0]],
      [doc(paragraph({ type: "rawInline", attrs: { kind: "date", source: "{{2026-11-23}}" } })), undefined],
      [doc({ type: "figure", attrs: { caption: null } }), ["content", 0, "content"]],
    ] as const) {
      expect(codec.validate(wrong)).toMatchObject({ ok: false, issues: [path ? { path } : {}] });
    }
  });

  test("what Markdown cannot hold is reported at its place, with marks before it", () => {
    const given = doc(
      paragraph(text("a", "spoiler"), date("x"), { ...text("b"), marks: [{ type: "bold" }, { type: "nope" }] }),
      { type: "figure", attrs: { caption: "a [b]" }, content: [paragraph(text("c"))] },
    );
    expect(codec.normalize(given).changes).toEqual([
      { path: ["content", 0, "content", 1], message: "a date that Markdown cannot hold became text" },
      { path: ["content", 1], message: "a figure that Markdown cannot hold became a callout" },
      { path: ["content", 0, "content", 2], message: "the mark nope is unknown and was left out" },
    ]);
    expect(() => codec.serializeMarkdown(given, { strict: true })).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED", path: ["content", 0, "content", 1] }),
    );
    expect(() => codec.normalize(doc(paragraph({ type: "date" })))).toThrow(
      expect.objectContaining({ code: "INVALID_DOC", path: ["content", 0, "content", 0] }),
    );
  });

  test("the main entry keeps its own syntax while a codec is in use, in the functions of a definition too", () => {
    const nested = createCodec({
      nodes: [
        {
          ...DATE,
          markdown: {
            ...DATE.markdown,
            read: (body: string) =>
              plain.parseMarkdown(`{{${body}}}`).content[0]?.content?.[0]?.type === "text" ? { day: body } : undefined,
          },
        },
      ],
    });
    expect(nested.parseMarkdown("{{2026-11-23}}").content[0]?.content).toEqual([date("2026-11-23")]);
    expect(plain.parseMarkdown("{{2026-11-23}}").content[0]?.content).toEqual([text("{{2026-11-23}}")]);
  });
});

describe("a codec without definitions", () => {
  test("it reads, writes, checks and shows every case as the main entry does", () => {
    const same = createCodec({});
    expect(Object.keys(same.schema.nodes)).toEqual(Object.keys(schema.nodes));
    expect(Object.keys(same.schema.marks)).toEqual(Object.keys(schema.marks));
    for (const { markdown } of cases) {
      const read = same.parseMarkdown(markdown);
      expect(read).toEqual(plain.parseMarkdown(markdown));
      expect(same.serializeMarkdown(read)).toBe(plain.serializeMarkdown(read));
      expect(same.toHtml(read)).toBe(plain.toHtml(read));
      expect(same.toPlainText(read)).toBe(plain.toPlainText(read));
      expect(same.validate(read)).toEqual(plain.validate(read));
    }
  });
});

const DATE = {
  name: "date",
  spec: { attrs: { day: { validate: "string" } } },
  markdown: {
    open: "{{",
    close: "}}",
    read: (body: string) => ({ day: body }),
    write: ({ day }: { [name: string]: unknown }) => String(day),
  },
  html: () => ({ tag: "time" }),
  examples: [{ day: "1" }],
} satisfies NodeDefinition;
const FIGURE: NodeDefinition = {
  name: "figure",
  spec: { content: "block+" },
  markdown: { directive: "figure", read: () => ({}), write: () => null },
  html: () => ({ tag: "figure", children: [0] }),
};
const SPOILER: MarkDefinition = { name: "spoiler", markdown: { delimiter: "%%" }, html: { tag: "span" } };

test("a directive may have an attribute without a default", () => {
  const captioned = createCodec({
    nodes: [
      {
        name: "figure",
        spec: { content: "block+", attrs: { caption: { validate: "string" } } },
        markdown: {
          directive: "figure",
          read: (label) => (label === null ? undefined : { caption: label }),
          write: ({ caption }) => String(caption),
        },
        html: () => ({ tag: "figure", children: [0] }),
        examples: [{ caption: "x" }],
      },
    ],
  });
  const read = captioned.parseMarkdown(":::figure[A map]\na\n:::\n");
  expect(read.content[0]).toMatchObject({ type: "figure", attrs: { caption: "A map" } });
  codecLaws(captioned, { runs: 40, seed: 1 });
});

describe("a wrong definition is refused, with its place", () => {
  const node = (changes: object): Definitions => ({ nodes: [FIGURE, { ...DATE, ...changes }] });
  const figure = (changes: object): Definitions => ({ nodes: [{ ...FIGURE, ...changes }] });
  const mark = (changes: object): Definitions => ({ marks: [{ ...SPOILER, ...changes }] });
  const wrong: [what: string, definitions: Definitions, path: (string | number)[] | undefined, message: RegExp][] = [
    ["a name of this package", node({ name: "paragraph" }), ["nodes", 1, "name"], /taken/],
    ["a name twice", node({ name: "figure" }), ["nodes", 1, "name"], /taken/],
    ["a name of a raw construct", node({ name: "comment" }), ["nodes", 1, "name"], /taken/],
    ["a name with spaces", node({ name: "a b" }), ["nodes", 1, "name"], /letters/],
    [
      "a rule that takes nothing",
      node({ markdown: { ...DATE.markdown, open: "" } }),
      ["nodes", 1, "markdown"],
      /never end/,
    ],
    ["no rule", node({ markdown: {} }), ["nodes", 1, "markdown", "read"], /function/],
    [
      "signs of Markdown",
      node({ markdown: { ...DATE.markdown, open: "**" } }),
      ["nodes", 1, "markdown", "open"],
      /signs/,
    ],
    [
      "an end with a space",
      node({ markdown: { ...DATE.markdown, close: " " } }),
      ["nodes", 1, "markdown", "close"],
      /spaces/,
    ],
    ["no example", node({ examples: [] }), ["nodes", 1, "examples"], /example/],
    ["an example that the spec refuses", node({ examples: [{ day: 1 }] }), ["nodes", 1, "examples", 0], /accept/],
    [
      "an example that ends early",
      node({ examples: [{ day: "1" }, { day: "a}}b" }] }),
      ["nodes", 1, "examples", 1],
      /read/,
    ],
    [
      "a rule that reads something else",
      node({ markdown: { ...DATE.markdown, read: () => ({ day: "2" }) } }),
      ["nodes", 1, "examples", 0],
      /read/,
    ],
    [
      "content that does not exist",
      figure({ spec: { content: "nothing+" } }),
      ["nodes", 0, "spec", "content"],
      /nothing/,
    ],
    ["content of text", figure({ spec: { content: "inline*" } }), ["nodes", 0, "spec", "content"], /block/],
    ["content that may be missing", figure({ spec: { content: "block*" } }), ["nodes", 0, "spec", "content"], /block/],
    ["no content", figure({ spec: {} }), ["nodes", 0, "spec", "content"], /inside/],
    [
      "content of a leaf",
      node({ spec: { ...DATE.spec, content: "text*" } }),
      ["nodes", 1, "spec", "content"],
      /directive/,
    ],
    ["another group", node({ spec: { ...DATE.spec, group: "block" } }), ["nodes", 1, "spec", "group"], /inline/],
    [
      "a directive that is a callout",
      figure({ markdown: { ...FIGURE.markdown, directive: "note" } }),
      ["nodes", 0, "markdown", "directive"],
      /callout/,
    ],
    ["an element that runs", figure({ html: () => ({ tag: "script" }) }), ["nodes", 0, "examples", 0], /script/],
    [
      "an attribute that runs",
      figure({ html: () => ({ tag: "div", attrs: { onclick: "x" } }) }),
      ["nodes", 0, "examples", 0],
      /onclick/,
    ],
    ["a mark of one sign", mark({ markdown: { delimiter: "%" } }), ["marks", 0, "markdown", "delimiter"], /delimiter/],
    [
      "a mark of this package's signs",
      mark({ markdown: { delimiter: "==" } }),
      ["marks", 0, "markdown", "delimiter"],
      /delimiter/,
    ],
    ["a mark that runs", mark({ html: { tag: "iframe" } }), ["marks", 0, "html"], /iframe/],
    [
      "a mark with the signs of a node",
      { nodes: [DATE], marks: [{ ...SPOILER, markdown: { delimiter: "{{{" } }] },
      ["marks", 0, "markdown", "delimiter"],
      /told from/,
    ],
    [
      "two nodes with one beginning",
      { nodes: [DATE, { ...DATE, name: "day", markdown: { ...DATE.markdown, open: "{{x" } }] },
      ["nodes", 1, "markdown", "open"],
      /told from/,
    ],
  ];
  test.for(wrong)("%s", ([, definitions, path, message]) => {
    const expected = { name: "CodecError", code: "INVALID_DEFINITION", path, message: expect.stringMatching(message) };
    expect(() => createCodec(definitions)).toThrow(expect.objectContaining(expected));
  });

  test("a function that fails later is an error of this package, too", () => {
    const failing = createCodec({
      nodes: [
        {
          ...DATE,
          markdown: {
            ...DATE.markdown,
            read: (body: string) => {
              if (body === "boom") throw new Error("out of dates");
              return { day: body };
            },
          },
        },
      ],
    });
    expect(() => failing.parseMarkdown("{{boom}}")).toThrow(
      expect.objectContaining({
        name: "CodecError",
        code: "INVALID_DEFINITION",
        message: expect.stringMatching(/dates/),
      }),
    );
  });
});

describe("HTML of an integrator stays safe", () => {
  test("addresses that run are left out, and text is text", () => {
    const link = createCodec({
      nodes: [
        {
          ...DATE,
          html: ({ day }) => ({ tag: "a", attrs: { href: String(day), title: '"><script>' }, children: [String(day)] }),
        },
      ],
    });
    const shown = (day: string): string => link.toHtml(doc(paragraph({ type: "date", attrs: { day } })));
    expect(shown("javascript:alert(1)")).toBe('<p><a title="&quot;&gt;&lt;script&gt;">javascript:alert(1)</a></p>\n');
    expect(shown("data:text/html,<b>")).not.toContain("href");
    expect(shown("https://example.org/<b>")).toContain('href="https://example.org/%3Cb%3E"');
  });

  const shownAs = (html: NodeDefinition["html"]) => createCodec({ nodes: [{ ...FIGURE, html }] });
  const figure = doc({ type: "figure", content: [paragraph(text("a"))] });

  test("a link with an origin tells it nothing of the page, wherever its address stands among its attributes", () => {
    const link = (attrs: Record<string, string>): string =>
      shownAs(() => ({ tag: "a", attrs, children: ["b"] })).toReadingHtml(figure);
    expect(link({ class: "x", href: "https://e.example/" })).toContain(
      '<a class="x" href="https://e.example/" rel="noreferrer">',
    );
    expect(link({ title: " href=", href: "/c" })).toContain('<a title=" href=" href="/c">');
  });

  test("a block that has a direction keeps it", () => {
    const shown = (tag: string, attrs: Record<string, string>): string =>
      shownAs(() => ({ tag, attrs, children: ["b"] })).toReadingHtml(figure);
    expect(shown("p", { dir: "rtl" })).toContain('<p dir="rtl">');
    expect(shown("table", { class: "x", dir: "rtl" })).toContain('<div class="table">\n<table class="x" dir="rtl">');
    expect(shown("p", { title: "x dir=" })).toContain('<p title="x dir=" dir="auto">');
  });

  test("an attribute that is empty is there, and one that is null is not", () => {
    const image = shownAs(() => ({ tag: "img", attrs: { src: "/a", alt: "", title: null } }));
    expect(image.toHtml(figure)).toBe('<img src="/a" alt="" />\n');
  });

  test.for([
    { html: null },
    { html: "p" },
    { html: { tag: "p", children: [null] } },
    { html: { tag: "p", children: 1 } },
  ])(
    "`html` of a definition that returns %j for a value that no example has is an error of this package",
    ({ html }) => {
      const failing = createCodec({
        // @ts-expect-error: JavaScript can return anything
        nodes: [{ ...DATE, html: ({ day }) => (day === "1" ? { tag: "time" } : html) }],
      });
      expect(() => failing.toHtml(doc(paragraph(date("2"))))).toThrow(
        expect.objectContaining({ name: "CodecError", code: "INVALID_DEFINITION" }),
      );
    },
  );
});
