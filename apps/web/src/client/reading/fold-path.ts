/** The longest path that is shown whole. */
const longestShown = 5;
/** The parts of a longer path that are shown at its end. */
const shownAtEnd = 2;

/** Splits the path of a document: a long one has a middle that is folded until somebody opens it. */
export function foldPath<Part>(path: readonly Part[]): {
  readonly first: readonly Part[];
  readonly folded: readonly Part[];
  readonly last: readonly Part[];
} {
  if (path.length <= longestShown) return { first: path, folded: [], last: [] };
  return { first: path.slice(0, 1), folded: path.slice(1, -shownAtEnd), last: path.slice(-shownAtEnd) };
}
