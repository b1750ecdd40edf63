import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

type Rows<Row> = { readonly data: readonly Row[]; readonly total: number };

/** The rows of a list of which the page brings only the first. */
export type FurtherRows<Row> = {
  readonly rows: readonly Row[];
  /** The number of those that are not loaded. */
  readonly hidden: number;
  readonly error: Error | null;
  /** Loads more. */
  readonly load: () => void;
};

/**
 * Continues a list after the rows that are there, whenever somebody asks for more.
 * @param key of the list; the further rows are kept below it
 * @param first undefined as long as the first rows are not there
 * @param idOf names a row: one that moved down while the list was open is in two answers, and is shown once
 */
export function useFurtherRows<Row>(
  key: QueryKey,
  first: Rows<Row> | undefined,
  idOf: (row: Row) => string,
  read: (offset: number, signal: AbortSignal) => Promise<Rows<Row>>,
): FurtherRows<Row> {
  const [isAsked, setAsked] = useState(false);
  const begun = first?.data ?? [];
  const further = useInfiniteQuery({
    queryKey: [...key, "after", begun.length],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    enabled: isAsked && begun.length > 0,
    initialPageParam: begun.length,
    getNextPageParam: ({ data, total }, _, offset) =>
      data.length > 0 && offset + data.length < total ? offset + data.length : undefined,
  });
  const loaded = isAsked ? (further.data?.pages.flatMap(({ data }) => data) ?? []) : [];
  const rows = [...new Map([...begun, ...loaded].map((row) => [idOf(row), row])).values()];
  return {
    rows,
    hidden: Math.max(0, (first?.total ?? 0) - rows.length),
    error: further.error,
    load: () => {
      if (!isAsked) setAsked(true);
      else if (further.data === undefined) void further.refetch();
      else void further.fetchNextPage();
    },
  };
}
