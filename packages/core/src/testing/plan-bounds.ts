/** The most rows of growing tables that a call may read, by how many rows it shows and how many it counts. */
export type Bound = (shown: number, total: number) => number;

/** Some rows of the related tables for each row that is shown, and some at the edges. */
export const ofPage: Bound = (shown) => 40 * shown + 400;

/** Rows that are counted are read too: the match, its document, its tag. */
export const ofTotal: Bound = (shown, total) => ofPage(shown, total) + 8 * total;

/** The 5,000 rows of a tree, the place of each, and the documents below it. */
export const ofTree: Bound = () => 25_000;

/** The index of words knows neither team nor order, so it finds more than is shown. At most 500 matches are ranked. */
export const ofSearch: Bound = (_, total) => 25 * total + 10_000;

/** One thing with what belongs to it. */
export const ofOne: Bound = () => 600;

/** Raises a bound. */
export const plus =
  (more: number, bound: Bound): Bound =>
  (shown, total) =>
    bound(shown, total) + more;

/** The rows to read for a tag of a tenth of all documents, which are counted or sorted. */
export const ofCommonTag = (count: number): number => count / 2;

/** Returns a moment some days earlier, in ISO 8601. */
export const daysBefore = (moment: Date, days: number): string =>
  new Date(moment.getTime() - days * 24 * 3_600_000).toISOString();
