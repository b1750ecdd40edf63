import { invalid } from "../errors.ts";
import { maxTags } from "../schema/text.ts";

/** A change of a document's unrestricted tags: all of them, or some. Names are in their normal form. */
export type TagEdits = {
  readonly tags?: readonly string[] | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
};

/** Tells whether a change names tags at all. */
export const editsTags = ({ tags, addTags, removeTags }: TagEdits): boolean =>
  tags !== undefined || addTags !== undefined || removeTags !== undefined;

/** Returns the tags of a document after a change. */
export function tagsAfter(now: readonly string[], { tags = now, addTags = [], removeTags = [] }: TagEdits): string[] {
  const removed = new Set(removeTags);
  return [...new Set([...tags, ...addTags])].filter((name) => !removed.has(name)).sort();
}

/** Returns the tags after a change, or undefined if it names none. @throws {ServiceError} for more than a document may have */
export function requireTagsAfter(now: readonly string[], edits: TagEdits): string[] | undefined {
  if (!editsTags(edits)) return undefined;
  const after = tagsAfter(now, edits);
  if (after.length <= maxTags) return after;
  const message = `At most ${maxTags} tags per document. It has ${now.length}: send removeTags too`;
  throw invalid("addTags", message);
}
