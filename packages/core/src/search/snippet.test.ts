import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { needlesOf } from "./needles.ts";
import { parseQuery } from "./parse-query.ts";
import { makeSnippet } from "./snippet.ts";

const snippet = (text: string, query: string): string => makeSnippet(text, needlesOf(parseQuery(query)));

describe("a snippet marks what was found, as it stands in the text", () => {
  test.each([
    ["English, the whole word of a beginning", "How to install it.", "inst", "How to <mark>install</mark> it."],
    ["French, with its accents", "L’élève naïf écrit.", "eleve naif", "L’<mark>élève</mark> <mark>naïf</mark> écrit."],
    ["French, accents typed apart", "Un e\u0301te\u0301 chaud", "été", "Un <mark>e\u0301te\u0301</mark> chaud"],
    ["German, where letters grow", "Die Größe zählt", "grosse", "Die <mark>Größe</mark> zählt"],
    ["Russian", "Новогодняя ёлка стоит", "елка", "Новогодняя <mark>ёлка</mark> стоит"],
    ["Arabic, with its points", "قال السَّلامُ عليكم", "السلام", "قال <mark>السَّلامُ</mark> عليكم"],
    ["Hindi", "कंप्यूटर में हिन्दी लिखें", "हिन्दी", "कंप्यूटर में <mark>हिन्दी</mark> लिखें"],
    ["Chinese", "请先安装组件，然后运行。", "安装组件", "请先<mark>安装组件</mark>，然后运行。"],
    ["Japanese", "東京都に住んでいます", "京都に", "東<mark>京都に</mark>住んでいます"],
    ["Korean, within a word", "한국어 문서를 검색합니다", "서를", "한국어 문<mark>서를</mark> 검색합니다"],
    ["Thai", "ภาษาไทยสวยงาม", "ไทย", "ภาษา<mark>ไทย</mark>สวยงาม"],
    [
      "a phrase, over signs and line ends",
      "The quick,\nbrown fox",
      '"quick brown"',
      "The <mark>quick, brown</mark> fox",
    ],
    [
      "a name with signs",
      "Use kb-mcp-stdio or C++.",
      "mcp-stdio c++",
      "Use kb-<mark>mcp-stdio</mark> or <mark>C++</mark>.",
    ],
    ["not the excluded", "fox and dog", "fox -dog", "<mark>fox</mark> and dog"],
    ["not within a word", "unfoxed fox", "fox", "unfoxed <mark>fox</mark>"],
    [
      "HTML as text",
      "<b>fox</b> & \"co\" 'x'",
      "fox",
      "&lt;b&gt;<mark>fox</mark>&lt;/b&gt; &amp; &quot;co&quot; &#39;x&#39;",
    ],
  ])("%s", (_, text, query, expected) => expect(snippet(text, query)).toBe(expected));
});

test("without a match it is the beginning, cut at a space", () => {
  const text = "lorem ipsum dolor ".repeat(30);
  const shown = snippet(text, "zebra");
  expect(shown.endsWith("…")).toBe(true);
  expect(text.startsWith(shown.slice(0, -1))).toBe(true);
  expect(shown.length).toBeGreaterThan(150);
});

test("the place where all words stand together is shown, not the first of one of them", () => {
  const text = `fox here. ${"filler text ".repeat(100)} the dog saw the fox. ${"filler text ".repeat(100)}`;
  expect(snippet(text, "dog fox")).toContain("the <mark>dog</mark> saw the <mark>fox</mark>.");
});

test("a word at the end of a long text is found", () => {
  expect(snippet(`${"filler text ".repeat(120_000)}needle`, "needle")).toMatch(/^….*<mark>needle<\/mark>$/);
});

test("far into a long text, all matches that stand together are marked, and a part of another word is not", () => {
  const filler = "filler text ".repeat(500);
  const near = `prefoxes, ${"a fox and another ".repeat(4)}`;
  expect(snippet(`${filler}${near}${filler}`, "fox").match(/<mark>fox<\/mark>/g)).toHaveLength(4);
  expect(snippet(`${filler}${near}${filler}`, "fox")).not.toContain("<mark>foxes");
  const chinese = "请先安装组件。".repeat(300);
  expect(snippet(`${chinese}然后检查依赖。${chinese}`, "依赖")).toMatch(/^….*然后检查<mark>依赖<\/mark>。.*…$/);
});

test("far into a long text, a word is found whose sixteenth unit is half of a character", () => {
  const word = `${"a".repeat(15)}𠮷b`;
  const filler = "filler text → ".repeat(500);
  expect(snippet(`${filler}${word} ${filler}`, word)).toMatch(/^….*<mark>a{15}/);
});

test("far into a long text, a word is found in any case, and a long word also behind another with the same beginning", () => {
  const filler = "filler text → ".repeat(500);
  const text = `${filler}Internationalism. ${filler}ÜBER INTERNATIONALIZATION (C++). ${filler}`;
  expect(snippet(text, "internationalization")).toMatch(/^….*ÜBER <mark>INTERNATIONALIZATION<\/mark> \(C\+\+\)/);
  expect(snippet(text, "über c++")).toMatch(/^….*<mark>ÜBER<\/mark> INTERNATIONALIZATION \(<mark>C\+\+<\/mark>\)/);
});

test("many words are found together, wherever in the text they stand", () => {
  const filler = "filler text ".repeat(500);
  const words = "one two three four five six seven eight nine ten";
  expect(snippet(`${filler}${words} ${filler}`, words)).toMatch(/^….*<mark>one<\/mark> .*<mark>ten<\/mark>/);
});

test("behind many places with some of the words, the first with one more is shown, with all its matches", () => {
  const some = `the dog saw → the cat. ${"filler text ".repeat(70)}`.repeat(10);
  const more = "the CAT and the fóx saw the dog and the fox";
  const rest = `. ${"filler text ".repeat(70)} the dog, the cat, the fox`;
  expect(snippet(`${some}${more}${rest}`, "dog cat fox")).toContain(
    "the <mark>CAT</mark> and the <mark>fóx</mark> saw the <mark>dog</mark> and the <mark>fox</mark>.",
  );
});

test("a word with accents is found before letters that are the same within another word", () => {
  const text = `Résumé of all. ${"filler text ".repeat(200)} it was presumed`;
  expect(snippet(text, "resume")).toMatch(/^<mark>Résumé<\/mark> of all\./);
});

test("neither a surrogate pair nor a grapheme is cut", () => {
  const family = "👩‍👩‍👧‍👦";
  const shown = snippet(`${family.repeat(60)}needle${family.repeat(60)}`, "needle");
  expect(shown).toContain("<mark>needle</mark>");
  for (const piece of shown.replaceAll("…", "").split("<mark>needle</mark>")) {
    expect(piece.replaceAll(family, "")).toBe("");
    expect(piece.length).toBeGreaterThan(0);
  }
});

describe("a text of 1.5 million characters takes bounded time", () => {
  test.each([
    ["without a match", "lorem ipsum dolor ".repeat(83_333), "zebra"],
    ["with one word everywhere and the other nowhere", "lorem ipsum dolor ".repeat(83_333), "lorem zebra"],
    ["of accents", "é".repeat(1_500_000), "e zebra"],
    ["of pairs", "東京 ".repeat(500_000), "京 zebra"],
    ["of one letter and its marks", `e${"\u0301".repeat(1_500_000)}`, "e zebra"],
    ["of signs", `a${".".repeat(1_500_000)}b`, '"a b"'],
  ])("%s", (_, text, query) => {
    const before = process.cpuUsage();
    expect(snippet(text, query).length).toBeLessThan(3_000);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});

test("whatever the text and the query, all that is not a mark is escaped text of the document", () => {
  const parts = fc.constantFrom(
    "<mark>",
    "</mark>",
    "<",
    "&",
    "&amp;",
    '"',
    "é",
    "fox",
    " ",
    "\n",
    "東京",
    "ß",
    "\u0301",
    "x",
  );
  const anything = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(parts, { maxLength: 300 }).map((list) => list.join("")),
  );
  fc.assert(
    fc.property(anything, anything, (text, query) => {
      const shown = snippet(text, query);
      const bare = shown.replaceAll(/<mark>([^<>]*)<\/mark>/g, "$1");
      expect(bare).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      const plain = bare
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&");
      const words = (from: string): string => from.replaceAll(/\s+/g, "");
      expect(words(text)).toContain(words(plain.replace(/^…/, "").replace(/…$/, "")));
    }),
  );
});
