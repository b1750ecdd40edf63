/**
 * How texts and queries are compared: two spellings that a reader takes for the same word fold to the same string.
 * Compatibility forms, case and the accents of European scripts go; so do Arabic and Hebrew vowel points. What tells
 * words apart stays: Cyrillic й, the vowel signs of Indic and South-East Asian scripts, kana voicing, Hangul syllables.
 */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  // The trade mark sign would turn into letters of the word before it.
  const lower = text.replaceAll(/[™℠]/g, " ").normalize("NFKC").toLowerCase();
  const bare = lower
    .normalize("NFD")
    .replaceAll(marks, "")
    .replaceAll(variants, (letter) => variantOf.get(letter) ?? letter);
  return (hebrew.test(bare) ? bare.replaceAll(hebrewQuotes, "") : bare).normalize("NFC");
}

/** Whether a text has anything that folds to more or less than it is: ASCII only loses its capitals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
export const beyondAscii = /[^\u0000-\u007f]/;

/**
 * What is dropped once letters and marks stand apart: combining accents (but the breve of й), Arabic points and tatweel,
 * Hebrew points, and characters without a glyph (soft hyphen, joiners, direction marks, variation selectors, BOM).
 */
const marks =
  /[\u0300-\u0305\u0307-\u036f]|(?<!и)\u0306|[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/g;

/** Letters that stand for one another, with no decomposition to tell so. */
const variantOf = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ħ", "h"],
  ["ı", "i"],
  ["ς", "σ"],
  ["ٱ", "ا"],
  ["ى", "ي"],
  ["ی", "ي"],
  ["ک", "ك"],
  ["ة", "ه"],
  ["‐", "-"],
  ...[..."٠١٢٣٤٥٦٧٨٩"].map((digit, value): [string, string] => [digit, String(value)]),
  ...[..."۰۱۲۳۴۵۶۷۸۹"].map((digit, value): [string, string] => [digit, String(value)]),
]);
const variants = /[ßæœøłđðþħıςٱىیکة‐٠-٩۰-۹]/g;

// In Hebrew abbreviations a quotation mark stands inside of the word.
const hebrew = /[\u05d0-\u05ea]/;
const hebrewQuotes = /(?<=[\u05d0-\u05ea])["'\u05f3\u05f4](?=[\u05d0-\u05ea])/g;

/** A folded text that remembers where each of its UTF-16 units comes from. */
export type FoldedText = {
  readonly folded: string;
  /** The offset in the original at which the piece behind a folded unit starts; one more entry holds the length. */
  readonly starts: readonly number[];
};

/**
 * A letter with what belongs to it: marks, invisible characters, the vowel and final jamo of a Hangul syllable. Then the
 * quotation mark that `fold` drops inside of a Hebrew word.
 */
const piece =
  /([\s\S](?:\p{M}|\p{Cf}|[\u1160-\u11ff\uff9e\uff9f])*)(?:(?<=[\u05d0-\u05ea])["'\u05f3\u05f4](?=[\u05d0-\u05ea]))?/uy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const plain = /[\u0000-\u007f]+(?![^\u0000-\u007f])/y;

/** `fold`, with the way back to the original. */
export function foldWithOffsets(text: string): FoldedText {
  let folded = "";
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    plain.lastIndex = at;
    const ascii = plain.exec(text)?.[0];
    if (ascii !== undefined) {
      for (let unit = 0; unit < ascii.length; unit += 1) starts.push(at + unit);
      folded += ascii.toLowerCase();
      at += ascii.length;
      continue;
    }
    piece.lastIndex = at;
    const found = piece.exec(text);
    const part = foldPiece(found?.[1] ?? text.charAt(at));
    for (let unit = 0; unit < part.length; unit += 1) starts.push(at);
    folded += part;
    at += Math.max(1, found?.[0].length ?? 1);
  }
  starts.push(text.length);
  return { folded, starts };
}

// A text is made of few different letters: each is folded once.
const maxKnownPieces = 5_000;
const knownPieces = new Map<string, string>();

function foldPiece(piece: string): string {
  const known = knownPieces.get(piece);
  if (known !== undefined) return known;
  const folded = fold(piece);
  if (knownPieces.size >= maxKnownPieces) knownPieces.clear();
  if (piece.length <= 8) knownPieces.set(piece, folded);
  return folded;
}
