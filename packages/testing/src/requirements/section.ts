/** One clause of the contract, with the name of its section. */
export type Clause = { readonly section: string; readonly text: string };

/** Adds the section's name to each clause of one section of the contract. Keys are the requirement ids. */
export function section<Id extends string>(name: string, clauses: Readonly<Record<Id, string>>): Record<Id, Clause> {
  const entries = Object.entries<string>(clauses).map(([id, text]) => [id, { section: name, text }]);
  return Object.fromEntries(entries);
}
