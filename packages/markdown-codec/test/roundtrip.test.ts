import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EmitOptions, NodeJSON } from "../src/index.ts";
import { cases, documents, texts } from "../src/testing.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { holdsForDocument, holdsForText } from "./laws.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { isRefused } from "./refused.ts";
import { report, runs } from "./runs.ts";

const timeout = 24 * 3_600_000;

/** Tries `cases` values; a refusal is no failure, but refusing more than one in fifty would prove nothing. */
function forAll<Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  cases: number,
  holds: (value: Value) => unknown,
): void {
  const chosen = runs(cases);
  let refused = 0;
  fc.assert(
    fc.property(values, (value) => {
      try {
        holds(value);
      } catch (error) {
        if (!isRefused(error)) throw error;
        refused += 1;
      }
    }),
    chosen,
  );
  report(`${name} (${refused} refused as INLINE_IMAGE or NESTING)`, chosen);
  expect(refused).toBeLessThanOrEqual(chosen.numRuns / 50);
}

describe("round trip", () => {
  test("parse(serialize(normalize(d))) = normalize(d) for documents that people write", { timeout }, () => {
    forAll("ordinary documents", ordinaryDocuments, 4_000, (doc) => holdsForDocument(doc));
  });

  test("parse(serialize(normalize(d))) = normalize(d) for every schema-valid document", { timeout }, () => {
    forAll("hostile documents", hostileDocuments, 8_000, (doc) => holdsForDocument(doc));
    forAll("documents of markdown-codec/testing", documents, 6_000, (doc) => holdsForDocument(doc));
  });

  test("the laws hold for every choice of spelling (`emit`)", { timeout }, () => {
    const emit: fc.Arbitrary<EmitOptions> = fc.record({
      underline: fc.constantFrom("u", "ins", "++"),
      subSup: fc.constantFrom("markdown", "html"),
      bullet: fc.constantFrom("-", "*", "+"),
    });
    const cases = fc.tuple(hostileDocuments, emit);
    forAll("hostile documents with other spellings", cases, 2_000, ([doc, options]) => holdsForDocument(doc, options));
  });

  test("normalize(parse(x)) = parse(x), and serialize is a fixpoint, for every text", { timeout }, () => {
    forAll("hostile texts", hostileTexts, 80_000, (text) => holdsForText(text));
    forAll("texts of markdown-codec/testing", texts, 20_000, (text) => holdsForText(text));
  });

  test("what random documents once broke survives", () => {
    const text = (value: string, ...marks: string[]): NodeJSON => ({
      type: "text",
      text: value,
      ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
    });
    const bold = (type: string): NodeJSON => ({ type, marks: [{ type: "bold" }] });
    const formula = (latex: string): NodeJSON => ({ type: "inlineMath", attrs: { latex } });
    const htmlTag: NodeJSON = { type: "rawInline", attrs: { kind: "html", source: '<span class="u">' } };
    const linkToCode = (value: string): NodeJSON => ({
      type: "text",
      text: value,
      marks: [{ type: "link", attrs: { href: "a", title: null } }, { type: "code" }],
    });
    for (const content of [
      [text("[", "superscript"), text("a]a")],
      [text("x^["), text("a", "superscript"), text("^]")],
      [text("~", "subscript"), text("~~"), text("b", "strike")],
      [text(":x"), linkToCode("]a")],
      [text("Let $x$ be")],
      [text("$5"), { type: "hardBreak" }, text("\u3000$6")],
      [{ ...text("$\u00a0"), marks: [{ type: "link", attrs: { href: "$\\)", title: null } }] }],
      [text("costs $5 ("), formula("\\alpha"), text(") more")],
      [{ ...text("$5"), marks: [{ type: "link", attrs: { href: "u", title: null } }] }, text(" ("), formula("(x)")],
      [text("x"), text("2", "subscript"), { ...htmlTag, marks: [{ type: "subscript" }] }, text("O", "subscript")],
      [text("x"), text("a(", "superscript"), { ...formula("p + q"), marks: [{ type: "superscript" }] }],
      [text("$5"), { type: "hardBreak" }, { type: "hardBreak" }, text("\u2003$")],
      [
        text("$a"),
        { type: "hardBreak" },
        { type: "hardBreak" },
        text("b", "bold"),
        bold("hardBreak"),
        text("\u2003$", "bold"),
      ],
      [text("$5"), { type: "hardBreak" }, text(":::note", "bold"), bold("hardBreak"), text("\u3000$6", "bold")],
      [{ ...text("a@b.c"), marks: [{ type: "link", attrs: { href: "mailto:a@b.c", title: "a" } }] }],
      [{ ...text("https://a.b"), marks: [{ type: "link", attrs: { href: "https://a.b", title: "a" } }] }],
      [
        { ...text("www.a.b.+++:+1"), marks: [{ type: "link", attrs: { href: "http://www.a.b.+++:+1", title: null } }] },
        text(":"),
      ],
    ]) {
      holdsForDocument({ type: "doc", content: [{ type: "paragraph", content }] });
    }
    for (const block of [
      { type: "blockMath", attrs: { latex: "$$\u00a0" } },
      {
        type: "callout",
        attrs: { kind: "note", title: "\\|a", folded: null, fence: "tight" },
        content: [{ type: "horizontalRule" }],
      },
      { type: "blockMath", attrs: { latex: "a\n\u3000$$" } },
      { type: "rawBlock", attrs: { kind: "directive", source: "> [!tip]- t\n> a", tight: true } },
    ]) {
      holdsForDocument({ type: "doc", content: [{ type: "paragraph", content: [text("a")] }, block] });
    }
  });

  test("what random texts once broke survives", () => {
    // U+2028 ends no line of Markdown, though it ends one of a JavaScript pattern.
    for (const text of [
      "1. [a]:/u\u2028 ",
      "> | a |\n> |-|\n> | b | c |\n> \ta",
      "-   <body>\n  <Steps>",
      "1. [^\n| a |\n|-|\n| b | c |\n]:a",
      "> a\n> : a\n> [^1]: a",
      "&#12;\n:::note\n\n:::\na",
      "me@a.b.http://a.b/c_d_e",
      "$$\n\u2028$$\n$$\na",
      "$$\n\u3000$$\n$$\na",
      "$$\na\u2028$$\n$$\na",
      "*\n- |\n---\na|a",
      "1.\n2. a|\n-|\na|b",
      "a\n2. a|\n-|\na|b",
    ])
      holdsForText(text);
  });

  test.for([...cases])("the hand-written case of markdown-codec/testing survives: $name", ({ markdown }) => {
    holdsForText(markdown);
  });
});
