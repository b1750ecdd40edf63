/** A part of a text and the offset of the next part. */
export type Slice = { readonly text: string; readonly nextOffset: number | undefined };

/**
 * Returns at most `length` UTF-16 units from an offset. A slice ends after a line if a line ends in its second half,
 * and never within a character. Consecutive slices add up to the whole text.
 */
export function slice(text: string, offset: number, length: number): Slice {
  const whole = offset + length;
  if (whole >= text.length) return { text: text.slice(offset), nextOffset: undefined };
  const lineEnd = text.lastIndexOf("\n", whole - 1) + 1;
  const end = lineEnd > offset + length / 2 ? lineEnd : characterEnd(text, offset, whole);
  return { text: text.slice(offset, end), nextOffset: end < text.length ? end : undefined };
}

/** Returns the end of a character at or just before `end`; just after it where the slice would otherwise be empty. */
function characterEnd(text: string, offset: number, end: number): number {
  const splits = isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end));
  if (!splits) return end;
  return end - 1 > offset ? end - 1 : end + 1;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
