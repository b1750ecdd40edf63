/** The page of a list, as it stands in the address. */
export type PageParameter = { page?: number };

/** Reads the page of an address; what makes no sense is the first page. */
export function pageParameter({ page }: Record<string, unknown>): PageParameter {
  const number = Number(page);
  return Number.isInteger(number) && number > 1 ? { page: Math.min(number, 1_000) } : {};
}
