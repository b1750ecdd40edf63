import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexDocument, KnownWords } from "./index-document.ts";
import { indexMark } from "./vector.ts";

const of = (text: string) => indexDocument({ title: "", tags: [], headings: [], text, addresses: [] });
const lexemes = (text: string): string[] =>
  [...of(text).vector.matchAll(/'((?:[^']|'')+)'/g)]
    .map((found) => found[1] ?? "")
    .filter((lexeme) => lexeme !== indexMark && !lexeme.startsWith("=@"));

test("titles, tags and headings have a lexeme of their own as a whole, without the spaces that part lexemes", () => {
  const { vector } = indexDocument({
    title: "Node.js, the guide",
    tags: ["two words"],
    headings: ["依赖 of it"],
    text: "",
    addresses: [],
  });
  expect(vector).toContain(" '==node=js=the=guide=':1A ");
  expect(vector).toContain(" '=#two=words=' ");
  expect(vector).toContain(" '=#依赖=of=it='");
});

describe("words and the names that are written with signs", () => {
  test.each([
    ["a compound, its parts and its tails", "kb-mcp-stdio", ["kb-mcp-stdio", "kb", "mcp", "stdio", "mcp-stdio"]],
    ["a name with a dot", "Node.js.", ["node.js", "node", "js"]],
    ["a name with an underscore", "foo_bar()", ["foo_bar", "foo", "bar"]],
    ["languages with signs", "C++, C# and F#!", ["c++", "c", "c#", "and", "f#", "f"]],
    ["an address", "jo@example.org", ["jo@example.org", "jo", "example", "org", "example.org"]],
    ["an apostrophe parts words", "l'été", ["l", "ete"]],
    ["Hindi words whole, with their vowel signs", "हिन्दी में", ["हिन्दी", "में"]],
    ["Arabic words without their points", "السَّلامُ عليكم", ["السلام", "عليكم"]],
    ["Russian words", "Ёлка, мой дом", ["елка", "мой", "дом"]],
  ])("%s", (_, text, expected) => expect(lexemes(text)).toEqual(expected));
});

describe("scripts without spaces give each pair of neighbours and the last character", () => {
  test.each([
    ["Chinese", "安装组件", ["安装", "装组", "组件", "件"]],
    ["Japanese, with the long vowel mark", "ファイルー", ["ファ", "ァイ", "イル", "ルー", "ー"]],
    ["Korean", "문서를", ["문서", "서를", "를"]],
    ["Thai", "ไทย", ["ไท", "ทย", "ย"]],
    ["Latin words beside them stay words", "iPhone手機", ["iphone", "手機", "機"]],
    ["emoji", "🚀", ["🚀"]],
  ])("%s", (_, text, expected) => expect(lexemes(text)).toEqual(expected));
});

test("title, tags and headings carry their weight, and the title's words a mark", () => {
  const { vector, folded } = indexDocument({
    title: "Alpha",
    tags: ["beta"],
    headings: ["Gamma"],
    text: "Gamma delta delta end",
    addresses: [],
  });
  expect(vector).toBe(
    "'#3' '=@' 'alpha':1A '=alpha':1A '==alpha=':1A 'beta':2B '=#beta=' 'gamma':3C,4 '=#gamma=' 'delta':4,5 'end'",
  );
  expect(folded).toBe(" alpha \n beta \n gamma \n gamma delta delta end ");
});

test("the vocabulary is of words of four letters or more, without digits or signs, sorted", () => {
  expect(of("the Zebra ate v2.0 of naïve-ish kb_mcp abcd1 東京都 zebra").terms).toEqual(["naive", "zebra"]);
});

test("a word longer than any is cut, so that the index takes it", () => {
  expect(lexemes("x".repeat(5_000))).toEqual(["x".repeat(100)]);
  expect(lexemes("𝔵".repeat(5_000))[0]).toMatch(/^x{100}$/);
  expect(lexemes("𐐨".repeat(5_000))[0]?.isWellFormed()).toBe(true);
});

const bytesOf = (vector: string): number =>
  [...vector.matchAll(/'([^']+)'(?::([\dA-D,]+))?/g)].reduce(
    (sum, [, lexeme = "", positions]) =>
      sum + Buffer.byteLength(lexeme) + (positions === undefined ? 0 : 3 + 2 * positions.split(",").length),
    0,
  );

describe("1.5 million characters", () => {
  const random = (length: number, make: () => string): string => Array.from({ length }, make).join("");
  let seed = 1;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((seed / 0x8000_0000) * below);
  };
  test.each([
    ["of prose", "The quick brown fox, où l’élève naïf est. Ещё мой ёжик! ".repeat(27_000)],
    [
      "of Chinese in which no pair repeats for long",
      random(1_500_000, () => String.fromCharCode(0x4e00 + next(20_000))),
    ],
    ["of words that are all different", random(250_000, () => `${next(60_466_176).toString(36)} `)],
    ["of one letter", "a".repeat(1_500_000)],
    ["of one compound", "a.".repeat(750_000)],
    ["of marks without a letter", "\u0301".repeat(1_500_000)],
  ])("%s fit into a tsvector, in bounded time", (_, text) => {
    const before = process.cpuUsage();
    const { vector, terms } = of(text);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(6_000);
    expect(bytesOf(vector)).toBeLessThan(1_048_575);
    expect(terms.length).toBeLessThanOrEqual(3_000);
  });
});

test("the title of a document with too many words is still in its vector", () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `word${index}x`).join(" ");
  const { vector } = indexDocument({ title: "Needle", tags: ["rare"], headings: [], text, addresses: [] });
  expect(vector.startsWith("'#3' '=@' 'needle':1A '=needle':1A '==needle=':1A 'rare':2B '=#rare=' 'word0x'")).toBe(
    true,
  );
});

test("any text gives clean lexemes: well-formed, without controls, quotes or backslashes", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
      const { vector, folded } = indexDocument({ title: text, tags: [text], headings: [text], text, addresses: [] });
      expect(vector.isWellFormed() && folded.isWellFormed()).toBe(true);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point.
      expect(vector).not.toMatch(/[\u0000-\u001f\\"]/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point.
      expect(folded).not.toMatch(/[\u0000-\u0009\u000b-\u001f%_\\]/);
    }),
  );
});

describe("known words", () => {
  const words = fc.constantFrom(
    "alpha",
    "beta-gamma",
    "node.js",
    "c++",
    "日本語",
    "a-a",
    "é",
    "x",
    "=",
    "Straße",
    "\n",
    "\n\n",
  );
  const field = fc.array(words, { maxLength: 12 }).map((some) => some.join(" "));
  const version = fc.record({
    title: field,
    tags: fc.array(field, { maxLength: 2 }),
    headings: fc.array(field, { maxLength: 3 }),
    text: field,
    addresses: fc.array(field, { maxLength: 3 }),
  });

  test("of earlier versions change no index", () => {
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 8 }), fc.boolean(), (versions, keepsLines) => {
        const known = new KnownWords({ keepsLines });
        for (const one of versions) expect(indexDocument(one, known)).toEqual(indexDocument(one));
      }),
    );
  });

  test("of a version that filled the index change none, and neither do those before it", () => {
    const many = Array.from({ length: 199_990 }, (_, index) => `w${index}`);
    const lines = (...all: string[]): string => all.join("\n");
    const known = new KnownWords({ keepsLines: true });
    const last = "one-two three-four five-six seven-eight nine-ten";
    for (const text of [
      lines("rare", last),
      lines(many.join(" "), last, last),
      lines(last, "other"),
      lines("w1", last),
    ]) {
      const one = { title: "Three-four", tags: [], headings: ["five-six"], text, addresses: ["rare"] };
      expect(indexDocument(one, known)).toEqual(indexDocument(one));
    }
  });
});
