/**
 * True for a letter or a digit that takes one UTF-16 unit. Readers disagree on the others (emoji count as punctuation
 * in some), so they are no safe neighbours of a delimiter.
 */
export function isAlphanumeric(char: string): boolean {
  return /[\p{L}\p{N}]/u.test(char);
}

export function isWhitespace(char: string): boolean {
  return /\s/.test(char);
}

/** True for emoji and symbols: punctuation to some readers of Markdown, and not to others. */
export function isDisputed(char: string): boolean {
  return char > "\u007f" && !isAlphanumeric(char) && !isWhitespace(char);
}

/** The numeric entity of a character. */
export function entity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}
