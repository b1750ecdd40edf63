import type { InputOf } from "../api/contract.ts";

type Filter = Omit<InputOf<"documents.list">, "fields" | "limit" | "offset">;

/** The lists of documents that have a screen of their own, each with its filter. */
export const listFilters = {
  drafts: { status: ["draft"] },
  archive: { status: ["archived"] },
  trash: { deleted: true },
} as const satisfies Record<string, Filter>;

/** Returns whether a list has nothing but drafts. */
export const isOfDrafts = ({ status }: Filter): boolean => status?.length === 1 && status[0] === "draft";

/** Returns the filter of the documents with a tag. */
export const tagFilter = (name: string): Filter => ({ tag: [name] });
