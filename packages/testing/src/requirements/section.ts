/** One clause of the contract: where it stands and what it says. */
export type Clause = { readonly section: string; readonly text: string };

/** Gives every clause of one section of the contract its section's name. Keys are the requirement ids. */
export function section<Id extends string>(name: string, clauses: Readonly<Record<Id, string>>): Record<Id, Clause> {
  const entries = Object.entries<string>(clauses).map(([id, text]) => [id, { section: name, text }]);
  return Object.fromEntries(entries);
}
