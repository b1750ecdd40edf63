import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";
import type { InputOf, OperationName } from "./contract.ts";
import { queryKeys } from "./query-keys.ts";

/** The answer of an operation that reads, as a page of the settings shows it. */
export const operationQuery = <Name extends OperationName>(name: Name, input: InputOf<Name> & object) =>
  queryOptions({
    queryKey: queryKeys.operation(name, input),
    queryFn: ({ signal }) => call(name, input, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
