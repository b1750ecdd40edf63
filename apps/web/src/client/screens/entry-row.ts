import type { OutputOf } from "../api/contract.ts";

/** A document in a short list. */
export type RecentEntry = Pick<
  NonNullable<OutputOf<"documents.recent">["changed"]>[number],
  "id" | "title" | "emoji" | "state" | "path" | "collection" | "updatedAt"
>;

/** Returns what a row shows of it. */
export function entryRow({ id, title, emoji, state, path, collection, updatedAt }: RecentEntry) {
  const above = [collection, ...path].flatMap((one) => (one === null ? [] : ["name" in one ? one.name : one.title]));
  return { id, title, emoji, isDraft: state === "draft", path: above, updatedAt };
}
