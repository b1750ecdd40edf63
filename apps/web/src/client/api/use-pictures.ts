import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "./call.ts";
import { picturesIn, picturesInput } from "./pictures.ts";
import { queryKeys } from "./query-keys.ts";

/** Returns the versions of the pictures of these people, by their ids; those without a picture are not in it. */
export function usePictures(people: readonly string[]): ReadonlyMap<string, string> {
  const input = picturesInput(people);
  const { data } = useQuery({
    queryKey: queryKeys.operation("users.directory", input),
    queryFn: ({ signal }) => call("users.directory", input, { signal }),
    placeholderData: keepPreviousData,
    enabled: input.ids.length > 0,
    staleTime: 60_000,
  });
  return picturesIn(data);
}
