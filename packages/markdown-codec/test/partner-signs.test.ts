import { markdownToHTML } from "comrak";
import { describe, expect, test } from "vitest";
import { type DocJSON, normalize, parseMarkdown, serializeMarkdown } from "../src/index.ts";
import * as only from "../src/serialize-only.ts";
import { asDocument, type Json } from "./json.ts";
import { holdsForDocument } from "./laws.ts";

const text = (value: string, ...marks: (string | Json)[]): Json => ({
  type: "text",
  text: value,
  ...(marks.length > 0 && { marks: marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark)) }),
});
const link = (href: string, title: string | null = null): Json => ({ type: "link", attrs: { href, title } });
const bare = (href: string): Json => text(href, link(href));
const hardBreak: Json = { type: "hardBreak" };
const reference: Json = { type: "footnoteReference", attrs: { label: "1" } };
const image = (alt: string | null, title: string | null = null): Json => ({
  type: "image",
  attrs: { src: "u", alt, title },
});
const mention = (label: string): Json => ({ type: "mention", attrs: { id: "u1", label } });
const note: Json = {
  type: "footnoteDefinition",
  attrs: { label: "1" },
  content: [{ type: "paragraph", content: [text("n")] }],
};

function documentOf(content: Json[]): DocJSON {
  return normalize(asDocument([{ type: "paragraph", content }, note])).doc;
}

/** Holds the laws for both writers, whichever way the reader reads CJK. */
function survives(content: Json[]): void {
  const doc = documentOf(content);
  for (const cjkFriendly of [false, true]) {
    holdsForDocument(doc, {}, { cjkFriendly });
    expect(parseMarkdown(only.serializeMarkdown(doc), { cjkFriendly })).toEqual(doc);
  }
}

const priced = link("u", "US$3");
const cases: [name: string, content: Json[]][] = [
  ["a price before an image whose description has one", [text("costs $5 "), image("US$3"), text(" or 6$")]],
  ["a price before an image whose title has one", [text("costs $5 "), image(null, "US$3"), text(" or 6$")]],
  ["a price before a mention whose name has one", [text("costs $5 "), mention("US$3"), text(" or 6$")]],
  ["prices in a link of several nodes whose address has one", linked(link("a$b"))],
  ["prices in a link of several nodes whose title has one", linked(priced)],
  ["a price in a link, and one in bold in that link", [text("$5 x", link("a$b")), text("y$", link("a$b"), "bold")]],
  ["a price before a letter of two units", [text("x $a", "bold"), text("$𠮷], "), bare("http://x.yz")]],
  ["a price before code that has one", [text("$5 "), text("\\$3", "code"), text(" 6$")]],
  ["a price before a link to a page that has one", [text("$5 "), wikiLink("[[a$b]]"), text(" 6$")]],
  ["two equals signs before a bare address", [text("a=="), bare("http://x.yz"), text(" b== c")]],
  ["two equals signs before code", [text("值=="), text("k", "code"), text(" 值==.")]],
  ["two equals signs before a break", [text("是=="), hardBreak, text("是== b")]],
  ["two equals signs before bold", [text("if 值==."), text("x", "bold"), text("y==.")]],
  ["two equals signs between Chinese and a comma", [text("值==,值==.")]],
  ["two equals signs between Korean and an exclamation mark", [text("값==!값==!")]],
  ["two equals signs between Japanese and a full stop", [text("是==.b==.")]],
  ["two equals signs between Chinese and spaces", [text("值== 值== (值==)")]],
  ...["\u1b4e", "\u1b4f", "\u1b7f"].flatMap((sign): [string, Json[]][] => [
    [`${sign} before bold in brackets`, [text(`x${sign}`), text("(a)", "bold"), text(" b")]],
    [`${sign} at the beginning of bold`, [text(`x${sign} `), text(`${sign}a`, "bold"), text(" b")]],
    [`${sign} at the end of bold`, [text("x "), text(`a${sign}`, "bold"), text("b")]],
  ]),
  ["a bracket after a reference", [text("w"), reference, text("(2020)")]],
  ["a bracket after a reference that begins the line", [reference, text("(2020): x")]],
  ["a colon after a reference that begins the line", [reference, text(": x")]],
  ["a link after a reference", [text("w"), reference, text("a", link("u"))]],
];

function wikiLink(source: string): Json {
  return { type: "wikiLink", attrs: { source } };
}

function linked(over: Json): Json[] {
  return [text("$5 ", over), text("or", over, "bold"), text(" 6$", over)];
}

const written = (...content: Json[]): string => serializeMarkdown(documentOf(content)).split("\n")[0] ?? "";

describe("signs that mean something only where they have a partner", () => {
  test.for(cases)("%s survive", ([, content]) => {
    survives(content);
  });

  test("prices and comparisons that nothing can mistake are written as they are", () => {
    for (const line of ["$5 and $6", "US$7 or $8-$9", "$HOME/$PATH", "if a== b, or c==, or d=="])
      expect(written(text(line))).toBe(line);
  });

  test("every sign of punctuation beside a mark is read alike by the reader, whose table is older than ours", () => {
    const signs: string[] = [];
    for (let code = 0x80; code < 0x10000; code++) {
      const sign = String.fromCharCode(code);
      if (/\p{P}/u.test(sign)) signs.push(sign);
    }
    expect(signs.length).toBeGreaterThan(600);
    const broken = signs.filter((sign) => {
      try {
        survives([text(`x${sign}`), text("(a)", "bold"), text(`${sign}b x `), text(sign, "bold"), text(" b")]);
        return false;
      } catch {
        return true;
      }
    });
    expect(broken).toEqual([]);
  });

  test.for(["\ufeff", "\u2028", "\u2029", "\u1b4e", "→", "🙂"])(
    "a mark beside %j, which is white space or punctuation to some readers only, is written as a tag",
    (sign) => {
      expect(written(text("x"), text(`${sign}a`, "bold"), text(" b"))).toContain("<strong>");
      expect(written(text("x "), text(`a${sign}`, "italic"), text("b"))).toContain("<em>");
      expect(written(text(`x${sign}`), text("(a)", "bold"), text(" b"))).toContain("<strong>");
    },
  );

  test("a bracket after a reference to a footnote begins no link for comrak", () => {
    const markdown = serializeMarkdown(documentOf([text("w"), reference, text("(2020)")]));
    expect(markdown).toContain("w[^1]\\(2020)");
    const html = markdownToHTML(markdown, { extension: { footnotes: true } });
    expect(html).not.toContain('href="2020"');
    expect(html).toContain("(2020)");
  });
});
