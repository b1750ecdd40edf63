import { markdownToHTML } from "comrak";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { append, insertAfterHeading, parseMarkdown, replaceText, serializeMarkdown, toHtml } from "../src/index.ts";
import { documents, texts } from "../src/testing.ts";
import { realFiles } from "./corpus.ts";
import { hostileDocuments } from "./hostile-documents.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { holdsForDocument, holdsForText } from "./laws.ts";
import { ordinaryDocuments } from "./ordinary-documents.ts";
import { isRefused } from "./refused.ts";
import { report, runs } from "./runs.ts";

const timeout = 3_600_000;
const cjkFriendly = true;

const htmlOf = (markdown: string, options = {}): string => toHtml(parseMarkdown(markdown, options)).trim();

function forAll<Value>(name: string, values: fc.Arbitrary<Value>, cases: number, holds: (value: Value) => void): void {
  const chosen = runs(cases);
  const holdsOrRefused = (value: Value): void => {
    try {
      holds(value);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  };
  fc.assert(fc.property(values, holdsOrRefused), chosen);
  report(name, chosen);
}

/** Lines in which delimiters stand between words, spaces and punctuation, wide and narrow. */
const parts = [
  "*",
  "**",
  "***",
  "~~",
  "_",
  "__",
  "a",
  "1",
  " ",
  ".",
  "(",
  ")",
  "「",
  "」",
  "。",
  "です",
  "한",
  "（",
  "é",
  "❤",
];
const lines = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 14 }).map((list) => `x${list.join("")}x`);

describe("cjkFriendly", () => {
  test.for([
    ["これは**「重要」**です", "<p>これは<strong>「重要」</strong>です</p>"],
    ["**この文を強調できますか（Can I?）？**残念", "<p><strong>この文を強調できますか（Can I?）？</strong>残念</p>"],
    ["**이 용어(This term)**를 강조", "<p><strong>이 용어(This term)</strong>를 강조</p>"],
    ["我可以强调**这个`code`**吗", "<p>我可以强调<strong>这个<code>code</code></strong>吗</p>"],
    ["これは~~「古い」~~です", "<p>これは<del>「古い」</del>です</p>"],
    ["これは==「光る」==です", "<p>これは<mark>「光る」</mark>です</p>"],
    ["𠮷**（𠮷）**𠮷", "<p>𠮷<strong>（𠮷）</strong>𠮷</p>"],
    ['a**"b"**c', "<p>a**&quot;b&quot;**c</p>"],
    ["スター * と * は文字", "<p>スター * と * は文字</p>"],
  ] as const)("reads %s as its writer means it", ([markdown, html]) => {
    expect(htmlOf(markdown, { cjkFriendly })).toBe(html);
  });

  test("is off by default: CommonMark says that the punctuation keeps the asterisks from being markup", () => {
    expect(htmlOf("これは**「重要」**です")).toBe("<p>これは**「重要」**です</p>");
  });

  test("reads emphasis as comrak does with the extension of that name", () => {
    const chosen = runs(2_000);
    const holds = (line: string): void => {
      const theirs = markdownToHTML(line, { extension: { cjkFriendlyEmphasis: true, strikethrough: true } });
      expect(htmlOf(line, { cjkFriendly }).replace(/\s+/g, " ")).toBe(theirs.trim().replace(/\s+/g, " "));
    };
    // Without three in a row and strikethrough, of which our documents say the same in another way.
    const simple = lines.filter((line) => !/\*{3}|~|\*\*\*\*|_/.test(line) && line.split("*").length <= 5);
    fc.assert(fc.property(simple, holds), chosen);
    report("cjkFriendly beside comrak", chosen);
  });

  test("what is written is read as the same document with the option and without it", { timeout }, () => {
    forAll("CJK lines", lines, 4_000, (line) => {
      holdsForText(line, { cjkFriendly });
      const { doc } = holdsForText(line);
      expect(parseMarkdown(serializeMarkdown(doc), { cjkFriendly })).toEqual(doc);
      const friendly = parseMarkdown(line, { cjkFriendly });
      expect(parseMarkdown(serializeMarkdown(friendly))).toEqual(friendly);
    });
  });

  test("the laws hold with the option on", { timeout }, () => {
    forAll("ordinary documents", ordinaryDocuments, 400, (doc) => holdsForDocument(doc, {}, { cjkFriendly }));
    forAll("hostile documents", hostileDocuments, 700, (doc) => holdsForDocument(doc, {}, { cjkFriendly }));
    forAll("documents", documents, 400, (doc) => holdsForDocument(doc, {}, { cjkFriendly }));
    forAll("hostile texts", hostileTexts, 5_000, (text) => holdsForText(text, { cjkFriendly }));
    forAll("texts", texts, 2_000, (text) => holdsForText(text, { cjkFriendly }));
  });

  test("real files survive with the option on", { timeout: 600_000 }, () => {
    const files = realFiles().filter(({ path }) => /^(?:ja|zh|ko)/.test(path));
    expect(files.length).toBeGreaterThan(5);
    for (const { text } of files.slice(0, 200)) holdsForText(text, { cjkFriendly });
  });

  test("edits read their Markdown with the option", () => {
    const doc = parseMarkdown("# これは**「題」**です\n\n本文\n", { cjkFriendly });
    const bold = "これは<strong>「重要」</strong>です";
    const markdown = "これは**「重要」**です";
    expect(serializeMarkdown(append(doc, markdown, { cjkFriendly }))).toContain(bold);
    const heading = "これは**「題」**です";
    expect(serializeMarkdown(insertAfterHeading(doc, heading, markdown, { cjkFriendly }))).toContain(bold);
    expect(serializeMarkdown(replaceText(doc, "本文", markdown, { cjkFriendly }))).toContain(bold);
  });
});
