import type { InputOf, OutputOf } from "./contract.ts";

/** The most people whom one call asks for. */
const mostIds = 100;

/** Returns what asks for the pictures of these people. */
export const picturesInput = (
  people: readonly string[],
): InputOf<"users.directory"> & { readonly ids: string[]; readonly limit: number } => ({
  ids: [...new Set(people)].sort().slice(0, mostIds),
  limit: mostIds,
});

/** Returns the versions of the pictures in an answer, by the ids of their users. */
export const picturesIn = (answer: OutputOf<"users.directory"> | undefined): ReadonlyMap<string, string> =>
  new Map((answer?.data ?? []).flatMap(({ id, picture }) => (picture === null ? [] : [[id, picture]])));
