/** Returns the first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const shown = words.length > 1 ? [words[0], words.at(-1)] : words;
  return shown.map((word) => [...(word ?? "")][0] ?? "").join("");
}
