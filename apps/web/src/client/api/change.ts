import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "./call.ts";
import type { InputOf, OperationName, OutputOf } from "./contract.ts";

/** Runs an operation that changes something; afterwards every list and page that is open is read again. */
export function useChange<Name extends OperationName>(
  name: Name,
): UseMutationResult<OutputOf<Name>, Error, InputOf<Name>> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<Name>) => call(name, input),
    onSuccess: () => queries.invalidateQueries(),
  });
}
