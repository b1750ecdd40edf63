import { call } from "../api/call.ts";
import { Failure } from "../api/failure.ts";

/** A tag that was chosen from the list; whether it is restricted is known to those who manage tags only. */
export type ChosenTag = { readonly id: string; readonly name: string };

type TagsToSave = {
  readonly id: string;
  readonly names: readonly string[];
  /** Tags that the document did not have, and of which it is not known whether they are restricted. */
  readonly unclear: readonly ChosenTag[];
  readonly restrictedIds: readonly string[];
  readonly restrictedBefore: readonly string[];
};

/**
 * Saves the tags of a document. A tag that may be restricted is first set as such, which the service refuses for any other:
 * by its name only, it would become a tag that everybody sees.
 */
export async function saveTags({ id, names, unclear, restrictedIds, restrictedBefore }: TagsToSave): Promise<void> {
  const restricted = [...restrictedIds];
  const found = new Set<string>();
  if (restricted.join() !== restrictedBefore.join()) {
    await call("documents.restrictedTags.set", { id, tagIds: restricted });
  }
  for (const tag of unclear) {
    if (!(await isSetAsRestricted(id, [...restricted, tag.id]))) continue;
    restricted.push(tag.id);
    found.add(tag.name);
  }
  await call("documents.update", { id, tags: names.filter((name) => !found.has(name)), return: "minimal" });
}

async function isSetAsRestricted(id: string, tagIds: string[]): Promise<boolean> {
  try {
    await call("documents.restrictedTags.set", { id, tagIds });
    return true;
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return false;
    throw error;
  }
}
