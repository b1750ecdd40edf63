// Scripts without spaces between words: each sign counts.
const SIGN = "[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}]";
const WORD = new RegExp(`${SIGN}|(?:(?!${SIGN})[\\p{L}\\p{M}\\p{N}_])+|\\n|[^\\S\\n]+|[^]`, "gu");

/** A text in parts that are compared as wholes: words, white space, line feeds, other signs. */
export function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}
