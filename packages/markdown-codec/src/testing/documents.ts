import fc from "fast-check";
import type { Attrs, DocJSON, MarkJSON, NodeJSON } from "../types.ts";
import { hostileAlphabet } from "./alphabet.ts";

const some = <T>(arbitrary: fc.Arbitrary<T>, least: number, most: number): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: least, maxLength: most, size: "max" });

const phrase = (most: number): fc.Arbitrary<string> =>
  some(fc.constantFrom(...hostileAlphabet), 1, most).map((pieces) => pieces.join(""));

const line = phrase(4);
const label = fc.constantFrom("1", "2", "a", "A", "long-name", "ä", "a:b", "`", "*x*", "|");
const url = fc.oneof(
  fc.constantFrom(
    "/a",
    "",
    "#x",
    "/a b",
    "/(a)",
    "/(",
    "a\\b",
    "https://example.org/a_b?c=d&e;",
    "mailto:a@b.c",
    "/ü|",
    "<x>",
  ),
  line.filter((text) => !/(?:javascript|vbscript|file|data)/i.test(text)),
);
const optionalText = fc.oneof(fc.constant(null), fc.constantFrom("", "a", 'a "b" c', "a\nb"), line);

const MARKS = ["bold", "italic", "strike", "underline", "highlight", "subscript", "superscript", "code"];

const marks: fc.Arbitrary<MarkJSON[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<MarkJSON[]>([]) },
  { weight: 2, arbitrary: fc.constantFrom(...MARKS).map((type) => [{ type }]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.option(fc.tuple(url, optionalText), { freq: 2 }), fc.subarray(MARKS, { maxLength: 4 }))
      .map(([link, types]) => [
        ...(link ? [{ type: "link", attrs: { href: link[0], title: link[1] } }] : []),
        ...types.map((type) => ({ type })),
      ]),
  },
);

const node = (type: string, content: NodeJSON[], attrs?: Attrs): NodeJSON => ({
  type,
  ...(attrs ? { attrs } : undefined),
  ...(content.length > 0 ? { content } : undefined),
});

const sources = (...known: string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: phrase(6) });

const rawBlock = fc
  .tuple(
    fc.constantFrom("html", "comment", "directive", "definitionList", "linkDefinition", "table", "frontMatter"),
    sources(
      "<div>\n a\n\tb\n</div>",
      "  <Tabs>",
      "<script>\n\n\ta\n</script>",
      "<details>\n<summary>a</summary>",
      "</details>",
      ":::note\na\n:::",
      "<!-- a\n\n  b -->",
      ":::x\n\n- a\n:::",
      "::x[a]{b}",
      "a\n: b\n\n    c\n: d",
      "[a]: /b",
      "[a]: </b c>\n 'd'",
      "| a |\n|-|\n| b | c |",
      "---\na: b\n\nc\n---",
      "+++\n[a]\n+++",
    ),
    fc.boolean(),
  )
  .map(([kind, source, tight]): NodeJSON => ({ type: "rawBlock", attrs: { kind, source, tight } }));

const rawInline = fc
  .tuple(
    fc.constantFrom("html", "comment", "directive", "blockId"),
    sources("<kbd>", "</kbd>", '<a b="]|">', "<div>", "<!-- a -->", "<?a?>", ":x[a]", ":x[]{b}", "^id", "<u>", "<br>"),
  )
  .map(([kind, source]): NodeJSON => ({ type: "rawInline", attrs: { kind, source } }));

const construct: fc.Arbitrary<NodeJSON> = fc.oneof(
  fc
    .tuple(sources("x", "x^2", "\\frac{a}{b}", "a\\$b", "", "$", " a ", "a|b", "\\"), fc.boolean())
    .map(([latex, display]) => ({ type: "inlineMath", attrs: { latex, display } })),
  fc
    .tuple(fc.constantFrom("1", "a-b_c", "", "a b"), sources("Jane", "*a*", "[", "", " a ", "a]b"))
    .map(([id, name]) => ({ type: "mention", attrs: { id, label: name } })),
  sources("[[a]]", "[[a|b]]", "![[a.png]]", "[[a b]]", "[[]]", "[[a]", "[[^a]]").map((source) => ({
    type: "wikiLink",
    attrs: { source },
  })),
);

const atom: fc.Arbitrary<NodeJSON> = fc.oneof(
  rawInline,
  construct,
  fc.constant<NodeJSON>({ type: "hardBreak" }),
  label.map((name) => ({ type: "footnoteReference", attrs: { label: name } })),
  fc.tuple(url, optionalText, optionalText).map(([src, alt, title]) => ({ type: "image", attrs: { src, alt, title } })),
);

const inline: fc.Arbitrary<NodeJSON> = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: line.map((text): NodeJSON => ({ type: "text", text })) },
      { weight: 1, arbitrary: atom },
    ),
    marks,
  )
  .map(([part, list]) => (list.length > 0 ? { ...part, marks: list } : part));

const inlines = some(inline, 0, 6);
const paragraph = inlines.map((content) => node("paragraph", content));

const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(null, "x", "a-b", "ä", "a*b", "#"), inlines)
  .map(([level, id, content]) => node("heading", content, { level, id }));

const codeBlock = fc
  .tuple(
    fc.constantFrom(null, "ts", "a b", "`", "~`", "a&amp;", "\\", " ", "a\nb"),
    fc.oneof(fc.constant(""), phrase(8)),
  )
  .map(([language, text]) => node("codeBlock", text === "" ? [] : [{ type: "text", text }], { language }));

const blockMath = sources("x", "", "a\n\n  b", "$$", "\ta", "```", "\n", "$$ x").map(
  (latex): NodeJSON => ({ type: "blockMath", attrs: { latex } }),
);

const calloutAttrs = fc.record({
  kind: fc.constantFrom("note", "tip", "info", "my-kind", "NOTE", "a b"),
  title: fc.oneof(optionalText, fc.constantFrom("A | b", "[a]", " a ", "*b*", ": x")),
  folded: fc.constantFrom(null, null, true, false),
  fence: fc.constantFrom(null, null, "tight", "loose"),
});
const detailsAttrs = fc.record({
  summary: fc.oneof(optionalText, fc.constantFrom("<a> & b", " ")),
  open: fc.boolean(),
});

const { block } = fc.letrec<{ block: NodeJSON; cell: NodeJSON; footnote: NodeJSON }>((tie) => {
  const blocks = some(tie("block"), 0, 3);
  const item = (type: string, attrs?: Attrs): fc.Arbitrary<NodeJSON> =>
    fc.tuple(paragraph, blocks).map(([head, rest]) => node(type, [head, ...rest], attrs));
  const flow = some(fc.oneof({ weight: 9, arbitrary: tie("block") }, { weight: 1, arbitrary: tie("footnote") }), 1, 3);
  const listItems = some(item("listItem"), 1, 3);
  const anyItems = some(fc.oneof(item("listItem"), item("taskItem", { checked: true })), 1, 3);
  const taskItems = some(
    fc.boolean().chain((checked) => item("taskItem", { checked })),
    1,
    3,
  );
  return {
    footnote: fc
      .tuple(label, blocks)
      .map(([name, content]) =>
        node("footnoteDefinition", content.length > 0 ? content : [{ type: "paragraph" }], { label: name }),
      ),
    cell: fc
      .record({
        type: fc.constantFrom("tableHeader", "tableCell"),
        align: fc.constantFrom(null, null, "left", "center", "right"),
        colspan: fc.constantFrom(1, 1, 1, 2),
        rowspan: fc.constantFrom(1, 1, 1, 2),
        content: fc.oneof({ weight: 4, arbitrary: paragraph.map((only) => [only]) }, some(tie("block"), 1, 2)),
      })
      .map(({ type, content, ...attrs }) => node(type, content, { ...attrs, colwidth: null })),
    block: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 6, arbitrary: paragraph },
      { weight: 1, arbitrary: heading },
      { weight: 1, arbitrary: codeBlock },
      { weight: 1, arbitrary: rawBlock },
      { weight: 1, arbitrary: fc.constant(node("horizontalRule", [])) },
      { weight: 1, arbitrary: blockMath },
      { weight: 1, arbitrary: flow.map((content) => node("blockquote", content)) },
      {
        weight: 1,
        arbitrary: fc.tuple(flow, calloutAttrs).map(([content, given]) => node("callout", content, { ...given })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(flow, detailsAttrs).map(([content, given]) => node("details", content, { ...given })),
      },
      { weight: 1, arbitrary: anyItems.map((content) => node("bulletList", content)) },
      { weight: 1, arbitrary: listItems.map((content) => node("bulletList", content)) },
      { weight: 1, arbitrary: taskItems.map((content) => node("taskList", content)) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(0, 1, 2, 9, 99, 999_999_999), anyItems)
          .map(([start, content]) => node("orderedList", content, { start, type: null })),
      },
      {
        weight: 1,
        arbitrary: some(
          some(tie("cell"), 1, 3).map((cells) => node("tableRow", cells)),
          1,
          3,
        ).map((rows) => node("table", rows)),
      },
    ),
  };
});

const footnote = fc
  .tuple(label, some(block, 1, 3))
  .map(([name, content]) => node("footnoteDefinition", content, { label: name }));

/** Documents that the schema accepts, most of which nobody would write. */
export const documents: fc.Arbitrary<DocJSON> = some(
  fc.oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: footnote }),
  1,
  5,
).map((content) => ({ type: "doc", content }));

/** Texts of Markdown from the hostile alphabet, some of them indented or quoted as a whole. */
export const texts: fc.Arbitrary<string> = fc
  .tuple(phrase(30), fc.constantFrom("", "", "", "> ", "- ", "1. ", "    ", "\t", "| ", "[^1]: ", "# "), fc.boolean())
  .map(([text, prefix, everyLine]) => prefix + (everyLine ? text.replaceAll("\n", `\n${prefix}`) : text));
