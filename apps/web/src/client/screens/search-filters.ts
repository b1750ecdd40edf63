import type { Messages } from "../../messages/index.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** A filter of the search: a list of choices, the first of which is no filter. */
export type SearchFilter = {
  readonly name: "collection" | "tag" | "status";
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
};

type Known = {
  readonly collections: readonly { readonly id: string; readonly name: string }[];
  readonly tags: readonly { readonly name: string }[];
};

/** Returns the filters of a search with what the reader may choose. A value of the address that is unknown is shown too. */
export function searchFilters(
  { collection = "", tag = "", status }: SearchParameters,
  { collections, tags }: Known,
  messages: Messages,
): SearchFilter[] {
  const { anyCollection, anyTag, anyStatus, onlyDrafts, onlyPublished, onlyArchived, collectionNotFound } = messages;
  const names = [...new Set([...tags.map(({ name }) => name), ...(tag === "" ? [] : [tag])])];
  const isKnown = collection === "" || collections.some(({ id }) => id === collection);
  return [
    {
      name: "collection",
      label: messages.searchInCollection,
      value: collection,
      choices: [
        ["", anyCollection],
        ...collections.map(({ id, name }) => [id, name] as const),
        ...(isKnown ? [] : [[collection, collectionNotFound] as const]),
      ],
    },
    {
      name: "tag",
      label: messages.searchWithTag,
      value: tag,
      choices: [["", anyTag], ...names.map((name) => [name, name] as const)],
    },
    {
      name: "status",
      label: messages.searchWithStatus,
      value: status ?? "",
      choices: [
        ["", anyStatus],
        ["published", onlyPublished],
        ["draft", onlyDrafts],
        ["archived", onlyArchived],
      ],
    },
  ];
}
