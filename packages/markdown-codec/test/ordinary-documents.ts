import fc from "fast-check";
import type { DocJSON } from "../src/index.ts";
import { asDocument, type Json, type MarkOfJson } from "./json.ts";

/** Words that people write, in several scripts, and the signs that Markdown could mistake for its own. */
const words = [
  ..."alpha beta gamma delta Zürich naïve Москва привет 東京 日本語 서울 مرحبا हिन्दी Ελλάδα".split(" "),
  ..."* ** _ # #tag 1. 2) - + > ` `` ~ ~~ ^ == = --- === | a|b [x] [ ] ( ) ! C++ i++ C# F# 50% $5 US$3 6$ $x$ (2020)".split(
    " ",
  ),
  ..."a== ==b if(a==b) 値==, 값==! 是==不 x=y==z i++; ++i".split(" "),
  ..."snake_case __init__ *args **kwargs 2*3*4 x^2 H~2~O <b> </b> <br> <u> a<b &amp; &copy; AT&T".split(" "),
  ..."{x} {#id} [^1] [^1]: [a](b) ![a](b) :smile: 10:30:45 a:b:c http://a.example/b_c_d me@example.org".split(" "),
  ...'\\ \\* C:\\new it\'s "so" ’quoted‘ — … 🙂 👩‍👩‍👧 e.g. (see) end. what? so, yes; no: -1 +1'.split(" "),
];

const word = fc.constantFrom(...words);
const plainText = fc.array(word, { minLength: 1, maxLength: 8, size: "max" }).map((parts) => parts.join(" "));
const markSets: string[][] = [[], [], [], [], ["bold"], ["italic"], ["strike"], ["bold", "italic"], ["code"], ["link"]];

const markedText = fc.record({ text: plainText, marks: fc.constantFrom(...markSets) }).map(({ text, marks }): Json => {
  if (marks.length === 0) return { type: "text", text };
  return { type: "text", text, marks: marks.map(markJson) };
});

function markJson(type: string): MarkOfJson {
  return type === "link" ? { type, attrs: { href: "https://example.com/a_(b)", title: null } } : { type };
}

const image = fc.constant<Json>({ type: "image", attrs: { src: "/a.png", alt: "an image", title: "its title" } });
const hardBreak = fc.constant<Json>({ type: "hardBreak" });
const priced = fc.constantFrom("US$3", "5$", "a==b", "是==");
/** Nodes that people write within a line, seldom enough that most documents have none that GFM does not know. */
const construct = fc.oneof(
  { weight: 4, arbitrary: priced.map((alt): Json => ({ type: "image", attrs: { src: "/b.png", alt, title: null } })) },
  {
    weight: 4,
    arbitrary: fc
      .oneof(priced, fc.constant("Jane"))
      .map((label): Json => ({ type: "mention", attrs: { id: "u1", label } })),
  },
  { weight: 3, arbitrary: fc.constant<Json>({ type: "footnoteReference", attrs: { label: "1" } }) },
  fc.constant<Json>({ type: "rawInline", attrs: { kind: "html", source: "<kbd>" } }),
  fc.constant<Json>({ type: "wikiLink", attrs: { source: "[[A page]]" } }),
  fc.boolean().map((display): Json => ({ type: "inlineMath", attrs: { latex: "x^2", display } })),
);
/** A link over several nodes, whose address or title has a price. */
const longLink = fc.tuple(plainText, plainText, priced, fc.boolean()).map(([first, second, price, inTitle]): Json[] => {
  const attrs = inTitle ? { href: "/a", title: price } : { href: `/${price}`, title: null };
  const marks = [{ type: "link", attrs }];
  return [
    { type: "text", text: `${first} `, marks },
    { type: "text", text: second, marks: [...marks, { type: "bold" }] },
  ];
});

/** Runs with a space between them, as sentences have; the first and the last are text, so that no edge is bare. */
const inlines = fc
  .array(
    fc.oneof(
      { weight: 24, arbitrary: fc.tuple(markedText) },
      { weight: 3, arbitrary: fc.tuple(image) },
      { weight: 3, arbitrary: fc.tuple(hardBreak) },
      { weight: 2, arbitrary: fc.tuple(construct) },
      { weight: 2, arbitrary: longLink },
    ),
    { minLength: 0, maxLength: 4, size: "max" },
  )
  .chain((middle) => fc.tuple(plainText, fc.constant(middle), plainText))
  .map(([first, middle, last]): Json[] => [
    { type: "text", text: first },
    ...middle.flatMap((run) => (run[0]?.type === "hardBreak" ? run : [{ type: "text", text: " " }, ...run])),
    ...(middle.at(-1)?.[0]?.type === "hardBreak" ? [] : [{ type: "text", text: " " }]),
    { type: "text", text: last },
  ]);

const lineInlines = inlines.map((runs) =>
  runs.map((run): Json => (run.type === "hardBreak" ? { type: "text", text: " " } : run)),
);
const paragraph = inlines.map((content): Json => ({ type: "paragraph", content }));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), lineInlines)
  .map(([level, content]): Json => ({ type: "heading", attrs: { level, id: null }, content }));
const codeBlock = fc
  .tuple(fc.constantFrom(null, "ts", "js title=a"), fc.array(plainText, { maxLength: 3, size: "max" }))
  .map(
    ([language, lines]): Json => ({
      type: "codeBlock",
      attrs: { language },
      ...(lines.length > 0 ? { content: [{ type: "text", text: lines.join("\n") }] } : {}),
    }),
  );
const rule = fc.constant<Json>({ type: "horizontalRule" });
const blockMath = fc.constantFrom("x^2", "a\n\n  b").map((latex): Json => ({ type: "blockMath", attrs: { latex } }));
const calloutAttrs = fc.record(
  {
    kind: fc.constantFrom("note", "warning"),
    title: fc.constantFrom(null, "It costs $5"),
    folded: fc.constantFrom(null, true),
    fence: fc.constant(null),
  },
  { noNullPrototype: true },
);
const detailsAttrs = fc.record(
  { summary: fc.constantFrom(null, "More == less"), open: fc.boolean() },
  { noNullPrototype: true },
);
const table = fc.integer({ min: 1, max: 3 }).chain((columns) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(null, "left", "center", "right"), { minLength: columns, maxLength: columns }),
      fc.array(fc.array(lineInlines, { minLength: columns, maxLength: columns }), {
        minLength: 1,
        maxLength: 3,
        size: "max",
      }),
    )
    .map(
      ([aligns, rows]): Json => ({ type: "table", content: rows.map((row, index) => tableRow(row, aligns, index)) }),
    ),
);

function tableRow(cells: Json[][], aligns: (string | null)[], index: number): Json {
  const type = index === 0 ? "tableHeader" : "tableCell";
  const content = cells.map((cell, column) => ({
    type,
    attrs: { colspan: 1, rowspan: 1, colwidth: null, align: aligns[column] ?? null },
    content: [{ type: "paragraph", content: cell }],
  }));
  return { type: "tableRow", content };
}

const { block } = fc.letrec<{ block: Json; item: Json }>((tie) => {
  const several = fc.array(tie("block"), { minLength: 1, maxLength: 2, size: "max" });
  return {
    item: fc
      .tuple(paragraph, fc.array(tie("block"), { maxLength: 2, size: "max" }))
      .map(([first, rest]): Json => ({ type: "listItem", content: [first, ...rest] })),
    block: fc.oneof(
      { maxDepth: 3, depthIdentifier: "block" },
      { weight: 6, arbitrary: paragraph },
      { weight: 2, arbitrary: heading },
      codeBlock,
      rule,
      table,
      blockMath,
      several.map((content): Json => ({ type: "blockquote", content })),
      fc.tuple(several, calloutAttrs).map(([content, attrs]): Json => ({ type: "callout", attrs, content })),
      fc.tuple(several, detailsAttrs).map(([content, attrs]): Json => ({ type: "details", attrs, content })),
      fc
        .array(tie("item"), { minLength: 1, maxLength: 3, size: "max" })
        .map((content): Json => ({ type: "bulletList", content })),
      fc
        .tuple(fc.integer({ min: 1, max: 12 }), fc.array(tie("item"), { minLength: 1, maxLength: 3, size: "max" }))
        .map(([start, content]): Json => ({ type: "orderedList", attrs: { start }, content })),
      fc.array(fc.tuple(fc.boolean(), tie("item")), { minLength: 1, maxLength: 3, size: "max" }).map(
        (items): Json => ({
          type: "taskList",
          content: items.map(([checked, item]) => ({ ...item, type: "taskItem", attrs: { checked } })),
        }),
      ),
    ),
  };
});

const definition = paragraph.map(
  (content): Json => ({ type: "footnoteDefinition", attrs: { label: "1" }, content: [content] }),
);

/** Documents as people write them: words, punctuation that looks like Markdown, the blocks of GFM, callouts, details, formulas. */
export const ordinaryDocuments: fc.Arbitrary<DocJSON> = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 5, size: "max" }), fc.option(definition))
  .map(([content, note]) => asDocument(note === null ? content : [...content, note]));
