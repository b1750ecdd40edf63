import fc from "fast-check";
import type { DocJSON } from "../src/index.ts";
import { alphabet } from "./hostile-texts.ts";
import { asDocument, type Json, type MarkOfJson } from "./json.ts";
import { partnerInlines } from "./partner-signs.ts";

const piece = fc.constantFrom(...alphabet);
const noMarks: MarkOfJson[] = [];
const text = fc
  .array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string({ unit: "binary", minLength: 1, maxLength: 2 })), {
    minLength: 1,
    maxLength: 5,
    size: "max",
  })
  .map((pieces) => pieces.join(""));
const label = fc.constantFrom("1", "2", "a", "A", "é", "a-b", "^", "x]", "a b", "\\", "", "[", "1:");
const href = fc.oneof(
  fc.constantFrom(
    "u",
    "",
    "/a b",
    "/(",
    "/a(b)c",
    "<u>",
    "a\\b",
    "/ü?x=1&amp;y#z",
    "https://a.b/c_d*e",
    "https://a.b/c==d",
    "http://localhost/^a^:b:",
    "a\nb",
    "mailto:a@b",
  ),
  fc.constantFrom(
    "javascript:alert(1)",
    "JaVaScRiPt:x",
    "vbscript:x",
    "file:///x",
    "data:text/html,x",
    "#x",
    "\t",
    "&#35;",
  ),
  text,
);
/** A data: image is refused, whatever else the document holds: that has tests of its own. */
const withoutData = (value: string): string => value.replace(/data/gi, "date");
const source = href.map(withoutData);
const inlineSource = fc.constantFrom("<kbd>", "</i>", "<a b='|'>", "<!-- - -->", ":x[*a*]", ":x[a]{b}", "^a-1", "<br>");
const blockSource = fc.constantFrom(
  "<div>\n\ta\n</div>",
  "<Tabs>",
  "<!-- a\n\nb -->",
  ":::x\na\n:::",
  "::x[a]{b}",
  "a\n: b\n\n    c",
  "[a]: /b 'c'",
  "| a |\n|-|\n| b | c |",
  "---\na: b\n---",
);
const title = fc.oneof(fc.constantFrom(null, "", "t", 'a "b" c', "(x)", "a\nb", "\\", "&quot;"), text);
const names = ["bold", "italic", "strike", "underline", "highlight", "subscript", "superscript", "code"];

const marks = fc
  .tuple(fc.subarray(names, { maxLength: 3 }), fc.option(fc.tuple(href, title), { freq: 5 }), fc.boolean())
  .map(([chosen, link, reversed]) => {
    const list = chosen.map((type): MarkOfJson => ({ type }));
    if (link) list.push({ type: "link", attrs: { href: link[0], title: link[1] } });
    return reversed ? list.reverse() : list;
  });

function marked(node: Json, list: MarkOfJson[]): Json {
  return list.length > 0 ? { ...node, marks: list } : node;
}

const textNode = fc
  .tuple(text, fc.oneof({ weight: 2, arbitrary: fc.constant(noMarks) }, { weight: 3, arbitrary: marks }))
  .map(([value, list]) => marked({ type: "text", text: value }, list));
const atom = fc
  .tuple(
    fc.oneof(
      fc.constant<Json>({ type: "hardBreak" }),
      label.map((value): Json => ({ type: "footnoteReference", attrs: { label: value } })),
      fc
        .tuple(source, fc.oneof(fc.constant(null), text), title)
        .map(([src, alt, shown]): Json => ({ type: "image", attrs: { src, alt, title: shown } })),
      fc
        .tuple(fc.oneof(text, fc.constantFrom("x", "\\$", "a b")), fc.boolean())
        .map(([latex, display]): Json => ({ type: "inlineMath", attrs: { latex, display } })),
      fc
        .tuple(fc.constantFrom("1", "a-b_c", "", "a b"), text)
        .map(([id, value]): Json => ({ type: "mention", attrs: { id, label: value } })),
      text.map((value): Json => ({ type: "wikiLink", attrs: { source: `[[${value}]]` } })),
      fc
        .tuple(
          fc.constantFrom("html", "comment", "directive", "blockId"),
          fc.oneof(inlineSource, text.map(withoutData)),
        )
        .map(([kind, value]): Json => ({ type: "rawInline", attrs: { kind, source: value } })),
    ),
    fc.oneof(fc.constant(noMarks), marks),
  )
  .map(([node, list]) => marked(node, list));

const inlines = fc.array(fc.oneof({ weight: 4, arbitrary: textNode }, { weight: 1, arbitrary: atom }), {
  maxLength: 5,
  size: "max",
});

function withContent(node: Json, content: Json[]): Json {
  return content.length > 0 ? { ...node, content } : node;
}

const paragraph = fc
  .oneof({ weight: 3, arbitrary: inlines }, { weight: 1, arbitrary: partnerInlines })
  .map((content) => withContent({ type: "paragraph" }, content));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(null, "x", "a-b", "", "a b", "{", "}", "é", "#"), inlines)
  .map(([level, id, content]) => withContent({ type: "heading", attrs: { level, id } }, content));
const codeBlock = fc
  .tuple(
    fc.constantFrom(null, "", "ts", "a b", "`", "~", "a&amp;b", "\\", " x ", "é", "a\nb"),
    fc.array(piece, { maxLength: 8, size: "max" }),
  )
  .map(([language, pieces]) => {
    const value = pieces.join("");
    return withContent({ type: "codeBlock", attrs: { language } }, value === "" ? [] : [{ type: "text", text: value }]);
  });
const rule = fc.constant<Json>({ type: "horizontalRule" });
const blockMath = text.map((latex): Json => ({ type: "blockMath", attrs: { latex } }));
const rawBlock = fc
  .tuple(
    fc.constantFrom("html", "comment", "directive", "definitionList", "linkDefinition", "table", "frontMatter"),
    fc.oneof(blockSource, text.map(withoutData)),
    fc.boolean(),
  )
  .map(([kind, value, tight]): Json => ({ type: "rawBlock", attrs: { kind, source: value, tight } }));
const calloutAttrs = fc.record(
  {
    kind: fc.constantFrom("note", "warning", "own-kind", "NOTE", "a b", ""),
    title: fc.oneof(title, fc.constantFrom("a | b", "[x]", ": a", "{b}")),
    folded: fc.constantFrom(null, true, false),
    fence: fc.constantFrom(null, "tight", "loose"),
  },
  { noNullPrototype: true },
);
const detailsAttrs = fc.record({ summary: title, open: fc.boolean() }, { noNullPrototype: true });
const cell = fc
  .tuple(
    fc.constantFrom("tableCell", "tableHeader"),
    fc.constantFrom(null, "left", "center", "right"),
    fc.constantFrom(1, 1, 1, 2),
    fc.array(paragraph, { minLength: 1, maxLength: 2, size: "max" }),
  )
  .map(
    ([type, align, span, content]): Json => ({
      type,
      attrs: { colspan: span, rowspan: span, colwidth: null, align },
      content: span === 1 ? content.slice(0, 1) : content,
    }),
  );
const table = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 3, size: "max" }), { minLength: 1, maxLength: 3, size: "max" })
  .map((rows): Json => ({ type: "table", content: rows.map((content) => ({ type: "tableRow", content })) }));

const { blocks } = fc.letrec<{ blocks: Json[]; block: Json; item: Json }>((tie) => {
  const several = fc.array(tie("block"), { minLength: 1, maxLength: 3, size: "max" });
  const items = fc.array(tie("item"), { minLength: 1, maxLength: 3, size: "max" });
  return {
    blocks: several,
    item: fc
      .tuple(paragraph, fc.array(tie("block"), { maxLength: 3, size: "max" }))
      .map(([first, rest]): Json => ({ type: "listItem", content: [first, ...rest] })),
    block: fc.oneof(
      { maxDepth: 4, depthIdentifier: "hostile", withCrossShrink: true },
      { weight: 6, arbitrary: paragraph },
      { weight: 2, arbitrary: heading },
      codeBlock,
      rule,
      table,
      blockMath,
      rawBlock,
      fc.tuple(several, calloutAttrs).map(([content, attrs]): Json => ({ type: "callout", attrs, content })),
      fc.tuple(several, detailsAttrs).map(([content, attrs]): Json => ({ type: "details", attrs, content })),
      several.map((content): Json => ({ type: "blockquote", content })),
      items.map((content): Json => ({ type: "bulletList", content })),
      fc
        .tuple(fc.constantFrom(0, 1, 1, 2, 9, 10, 99, 999_999_999, 1_000_000_000, -1, 1.5), items)
        .map(([start, content]): Json => ({ type: "orderedList", attrs: { start }, content })),
      fc
        .tuple(items, fc.boolean())
        .map(([list, checked]): Json => ({ type: "taskList", content: list.map((each) => task(each, checked)) })),
    ),
  };
});

function task(item: Json, checked: boolean): Json {
  return { ...item, type: "taskItem", attrs: { checked } };
}

const footnote = fc
  .tuple(label, blocks)
  .map(([value, content]): Json => ({ type: "footnoteDefinition", attrs: { label: value }, content }));

/**
 * Documents that an editor's schema accepts and nobody would write: empty paragraphs, marks on breaks, labels with
 * brackets, duplicate and missing footnotes, addresses of every kind, spans in tables, constructs of every type, and lines
 * of signs that wait for a partner. A second generator beside the
 * one in `markdown-codec/testing`, so that what one never makes the other may.
 */
export const hostileDocuments: fc.Arbitrary<DocJSON> = fc
  .array(fc.oneof({ weight: 5, arbitrary: blocks }, { weight: 1, arbitrary: footnote.map((each) => [each]) }), {
    minLength: 1,
    maxLength: 4,
    size: "max",
  })
  .map((groups) => asDocument(groups.flat()));
