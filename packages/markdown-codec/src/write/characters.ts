/** True for the code of a letter of ASCII. */
export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/**
 * True for a letter or a digit that takes one UTF-16 unit. Readers disagree on the others (emoji count as punctuation
 * in some), so they are no safe neighbours of a delimiter.
 */
export function isAlphanumeric(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code < 0x80) return isLetter(code) || (code >= 0x30 && code <= 0x39);
  return /[\p{L}\p{N}]/u.test(char);
}

export function isWhitespace(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code > 0x20 && code < 0x80) return false;
  return /\s/.test(char);
}

/**
 * True for what is punctuation or white space to some readers of Markdown and not to others: emoji, symbols, white space that
 * is no space to CommonMark (U+FEFF, U+2028, U+2029), and signs of Balinese that are punctuation only since Unicode 16.
 */
export function isDisputed(char: string): boolean {
  return char > "\u007f" && !/(?![\u1b4e\u1b4f\u1b7f])[\p{L}\p{N}\p{P}\p{Zs}]/u.test(char);
}

/** The numeric entity of a character. */
export function entity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}
