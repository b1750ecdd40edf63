/** The words of a text: runs of letters, marks and digits. */
export function words(text: string): string[] {
  return text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The words that occur more often in `expected` than in `actual`, once for each occurrence that is missing. */
export function lostWords(expected: string[], actual: string[]): string[] {
  const left = new Map<string, number>();
  for (const word of actual) left.set(word, (left.get(word) ?? 0) + 1);
  return expected.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}
