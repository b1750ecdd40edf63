/**
 * Folds texts and queries for comparison: two spellings of what a reader takes for the same word become equal. Removes
 * compatibility forms, case, accents of European scripts, and Arabic and Hebrew vowel points. Keeps what distinguishes
 * words: Cyrillic й, vowel signs of Indic and South-East Asian scripts, kana voicing, Hangul syllables.
 */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  // Otherwise the trade mark sign would become letters of the word before it.
  const lower = text.replaceAll(/[™℠]/g, " ").normalize("NFKC").toLowerCase();
  const bare = lower
    .normalize("NFD")
    .replaceAll(marks, "")
    .replaceAll(variants, (letter) => variantOf.get(letter) ?? letter);
  return (hebrew.test(bare) ? bare.replaceAll(hebrewQuotes, "") : bare).normalize("NFC");
}

/** Matches texts that folding may change in more than case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
export const beyondAscii = /[^\u0000-\u007f]/;

/**
 * Characters that are removed after decomposition: combining accents (except the breve of й), Arabic points and
 * tatweel, Hebrew points, and characters without a glyph (soft hyphen, joiners, direction marks, variation selectors,
 * BOM).
 */
const marks =
  /[\u0300-\u0305\u0307-\u036f]|(?<!и)\u0306|[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe00-\ufe0f]/g;

/** Letters that are equal for the search but have no common decomposition. */
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
  ...valuesOf("٠١٢٣٤٥٦٧٨٩"),
  ...valuesOf("۰۱۲۳۴۵۶۷۸۹"),
]);

/** Maps the digits of a script, from zero to nine, to their values. */
function valuesOf(digits: string): [string, string][] {
  return Array.from(digits, (digit, value) => [digit, String(value)]);
}

const variants = /[ßæœøłđðþħıςٱىیکة‐٠-٩۰-۹]/g;

// In Hebrew abbreviations, a quotation mark is part of the word.
const hebrew = /[\u05d0-\u05ea]/;
const hebrewQuotes = /(?<=[\u05d0-\u05ea])["'\u05f3\u05f4](?=[\u05d0-\u05ea])/g;

/** A folded text with the origin of each of its UTF-16 units. */
export type FoldedText = {
  readonly folded: string;
  /** For each folded unit, the offset in the original at which its piece starts; the last entry is the length. */
  readonly starts: readonly number[];
};

/**
 * A letter with its marks, invisible characters, and the vowel and final jamo of a Hangul syllable; then the quotation
 * mark that `fold` removes within a Hebrew word.
 */
const piece =
  /([\s\S](?:\p{M}|\p{Cf}|[\u1160-\u11ff\uff9e\uff9f])*)(?:(?<=[\u05d0-\u05ea])["'\u05f3\u05f4](?=[\u05d0-\u05ea]))?/uy;
/**
 * Characters in which folding changes only the case, whatever surrounds them: ASCII, kana, Chinese characters, and their
 * punctuation. The last one before any other character may combine with it.
 */
const plain =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
  /[\u0000-\u007f\u3001\u3002\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]+(?![^\u0000-\u007f\u3001\u3002\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff])/y;

/** Folds a text like `fold` and keeps the offsets of the original. */
export function foldWithOffsets(text: string): FoldedText {
  let folded = "";
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    plain.lastIndex = at;
    const unchanged = plain.exec(text)?.[0];
    if (unchanged !== undefined) {
      for (let unit = 0; unit < unchanged.length; unit += 1) starts.push(at + unit);
      folded += unchanged.toLowerCase();
      at += unchanged.length;
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

// A text consists of few different letters: each is folded only once.
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
