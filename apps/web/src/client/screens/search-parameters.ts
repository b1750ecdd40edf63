/** The filters of a search, as they stand in the address. */
export type SearchParameters = { query?: string; page?: number };

/** Reads the filters of an address; what makes no sense is left out, so that every address shows a page. */
export function searchParameters(search: Record<string, unknown>): SearchParameters {
  const { query, page } = search;
  const number = Number(page);
  return {
    ...(query === undefined ? {} : { query: String(query).slice(0, 1_000) }),
    ...(Number.isInteger(number) && number > 1 ? { page: Math.min(number, 1_000) } : {}),
  };
}
