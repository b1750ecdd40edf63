/** Returns the smallest of three counts: what runs by itself in the background may be counted by one or two of them. */
export async function fewestOf(count: () => Promise<number>): Promise<number> {
  const counts = [await count(), await count(), await count()];
  return Math.min(...counts);
}
