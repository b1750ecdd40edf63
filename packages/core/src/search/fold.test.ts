import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, foldWithOffsets } from "./fold.ts";

describe("two spellings of one word fold to the same", () => {
  test.each([
    ["French accents", "Où est l’élève naïf ? ŒUVRE", "Ou est l’eleve naif ? oeuvre"],
    ["composed and decomposed letters", "caf\u00e9", "cafe\u0301"],
    ["German sharp s and umlauts", "Größe STRASSE Maß", "grosse straße mass"],
    ["Scandinavian letters", "Smørrebrød Ærø Åse", "smorrebrod aero ase"],
    ["Polish, Croatian and Vietnamese", "Łódź Đuro Việt Nam đường", "lodz duro viet nam duong"],
    ["Turkish i in all its forms", "ISPARTA İstanbul ılık", "isparta istanbul ilik"],
    ["Russian ё, as it is often typed", "Ёлка и ещё", "елка и еще"],
    ["Greek tonos and final sigma", "Ο ΛΌΓΟΣ του λόγος", "ο λογοσ του λογος"],
    [
      "Arabic vowel points, tatweel, hamza and teh marbuta",
      "السَّلامُ عَلَيْكُمْ مـــكتبة أحمد إلى آخر",
      "السلام عليكم مكتبه احمد الي اخر",
    ],
    ["Persian and Arabic forms of yeh, kaf and digits", "کتابی ۱۲۳", "كتابي 123"],
    ["Hebrew points, and quotation marks within a word", 'שָׁלוֹם צה״ל צה"ל', "שלום צהל צהל"],
    ["half- and full-width forms", "ｶﾞｲﾄﾞ ＡＢＣ １２３ ﬁle", "ガイド abc 123 file"],
    ["Hangul syllables and the letters that they are made of", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"],
    ["invisible characters", "co\u00adoper\u200bate می\u200cخواهم", "cooperate ميخواهم"],
  ])("%s", (_, left, right) => expect(fold(left)).toBe(fold(right)));
});

describe("what tells words apart stays", () => {
  test.each([
    ["Cyrillic й and и", "мой", "мои"],
    ["Indic vowel signs", "की", "का"],
    ["Devanagari nukta", "ज़रा", "जरा"],
    ["Thai vowels and tones", "ป่า", "ป้า"],
    ["kana voicing", "かき", "がき"],
    ["hiragana and katakana", "ねこ", "ネコ"],
    ["a trade mark sign and letters", "Foo™", "footm"],
  ])("%s", (_, left, right) => expect(fold(left)).not.toBe(fold(right)));
});

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);

test("folding what is folded changes nothing", () => {
  fc.assert(fc.property(anyText, (text) => fold(fold(text)) === fold(text)));
});

test("the way back leads from every folded unit to a place of the original, in order", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { folded, starts } = foldWithOffsets(text);
      expect(starts).toHaveLength(folded.length + 1);
      expect(starts.at(-1)).toBe(text.length);
      for (const [unit, start] of starts.slice(1).entries()) expect(start).toBeGreaterThanOrEqual(starts[unit] ?? 0);
    }),
  );
});

test("folding with the way back folds the same as folding without", () => {
  const sentences = [
    "Où est l’élève naïf ? ŒUVRE Größe ﬁle",
    "И ещё мой ёжик, й и\u0306",
    "السَّلامُ عَلَيْكُمْ ﷺ می\u200cخواهم",
    'צה״ל שָׁלוֹם צה"ל',
    "ｶﾞｲﾄﾞ 한글 \u1112\u1161\u11ab 東京 ภาษาไทย हिन्दी",
    "e\u0301e\u0301 👩‍💻 🇫🇷 co\u00adop",
    "依赖 Node.js 的组件\u0301，か\u3099が、コンポーネント。ＡＢＣ 依\ufe00赖",
  ];
  for (const sentence of sentences) expect(foldWithOffsets(sentence).folded).toBe(fold(sentence));
});

test("lines are folded alike together and one by one", () => {
  const lines = fc.array(fc.oneof(anyText, fc.constantFrom("\u0301", "\u3099", "Σ", 'צה"', '"ל', "и", "\u0306")));
  fc.assert(fc.property(lines, (texts) => fold(texts.join("\n")) === texts.map(fold).join("\n")));
});
