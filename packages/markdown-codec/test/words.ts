/** The words of a text: runs of letters, marks and digits, in their order. */
export function words(text: string): string[] {
  return text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The words of `expected` that do not occur in `actual` in the same order. */
export function lostWords(expected: string[], actual: string[]): string[] {
  const lost: string[] = [];
  let from = 0;
  for (const word of expected) {
    const found = actual.indexOf(word, from);
    if (found < 0 || found - from > 200) lost.push(word);
    else from = found + 1;
  }
  return lost;
}
