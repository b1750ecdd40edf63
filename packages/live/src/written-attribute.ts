/** The attributes of leaves in which people write: the source of raw constructs, and the LaTeX of formulas. */
const written: ReadonlySet<string> = new Set(["source", "latex"]);

/** Returns the value of an attribute in which people write; null for any other. */
export const textOfAttribute = (name: unknown, value: unknown): string | null =>
  typeof name === "string" && written.has(name) && typeof value === "string" ? value : null;
