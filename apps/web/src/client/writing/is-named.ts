/** Returns whether somebody gave a document its title: one that is left out becomes this word in every language. */
export const isNamed = (title: string): boolean => title !== "" && title !== "Untitled";
