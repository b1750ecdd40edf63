/**
 * Tells whether one typo turns a word into the other: a letter inserted, omitted or replaced, or two neighbors swapped.
 */
export function withinOneEdit(left: string, right: string): boolean {
  const a = Array.from(left);
  const b = Array.from(right);
  if (Math.abs(a.length - b.length) > 1) return false;
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  const aRest = a.length - head - tail;
  const bRest = b.length - head - tail;
  if (aRest <= 1 && bRest <= 1) return true;
  return aRest === 2 && bRest === 2 && a[head] === b[head + 1] && a[head + 1] === b[head];
}
