/** The difference of two texts: `start` to `end` of the first one is `inserted` characters of the second. */
export type TextChange = { readonly start: number; readonly end: number; readonly inserted: number };

/** Returns what differs between the equal ends of two texts. */
export function textChange(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  let sameEnd = 0;
  while (sameEnd < shorter - same && before.at(-1 - sameEnd) === after.at(-1 - sameEnd)) sameEnd++;
  return { start: same, end: before.length - sameEnd, inserted: after.length - sameEnd - same };
}
