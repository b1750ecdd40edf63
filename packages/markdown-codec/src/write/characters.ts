const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const WHITESPACE = /\s/;

/**
 * True for a letter or a digit that takes one UTF-16 unit. Readers disagree on the others (emoji count as punctuation
 * in some), so they are no safe neighbours of a delimiter.
 */
export function isAlphanumeric(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return code >= 128 && (code < 0xd800 || code > 0xdfff) && LETTER_OR_DIGIT.test(char);
}

export function isWhitespace(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : WHITESPACE.test(char);
}

/** True for emoji and symbols: punctuation to some readers of Markdown, and not to others. */
export function isDisputed(char: string): boolean {
  return char.charCodeAt(0) > 127 && !isAlphanumeric(char) && !isWhitespace(char);
}

/** The numeric entity of a character. */
export function entity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}
