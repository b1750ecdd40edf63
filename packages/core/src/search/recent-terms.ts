/** At most this number of terms is remembered, for this long: about 2 MB. */
const maxRecent = 20_000;
const recentForMs = 60_000;

const recent = new Set<string>();
let forgetAt = 0;
let sweeps = 0;

const keyOf = (teamId: string, term: string): string => `${teamId} ${term}`;

/**
 * Returns the terms of a team's document that this process has not added lately: one that is saved again and again has nothing
 * to add. Call it when the document has been committed, so that a sweep which this process runs sees it.
 */
export function unknownTerms(teamId: string, terms: readonly string[]): readonly string[] {
  if (sweeps > 0) return terms;
  if (performance.now() > forgetAt) recent.clear();
  return recent.size === 0 ? terms : terms.filter((term) => !recent.has(keyOf(teamId, term)));
}

/** Remembers terms that the vocabulary of a team has. */
export function rememberTerms(teamId: string, terms: readonly string[]): void {
  if (recent.size + terms.length > maxRecent) recent.clear();
  if (recent.size === 0) forgetAt = performance.now() + recentForMs;
  for (const term of terms) recent.add(keyOf(teamId, term));
}

/** Runs work that deletes terms. Meanwhile and afterwards, all terms count as unknown. */
export async function withUnknownTerms<T>(run: () => Promise<T>): Promise<T> {
  sweeps += 1;
  try {
    return await run();
  } finally {
    sweeps -= 1;
    recent.clear();
  }
}
