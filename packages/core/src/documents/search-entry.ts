import type { WriteContext } from "../context.ts";
import { PrepareAgain } from "../prepare-again.ts";
import { indexDocument, type SearchIndex } from "../search/index-document.ts";
import { retitledIndex } from "../search/retitled-index.ts";
import { isLarge } from "../threads/offload.ts";
import { tasks } from "../threads/tasks.ts";
import type { Body, LabelledIndex, Labels } from "./body.ts";
import type { DocumentRow } from "./row.ts";
import { readStoredBody } from "./stored-body.ts";

/** The search index of a stored body under new labels, computed before the transaction. */
export type PreparedIndex = LabelledIndex & { readonly revision: number };

/** Title and tags in the form in which an index was computed for them. */
export const labelsOf = ({ title, tags }: Labels): Labels => ({ title, tags: [...tags].sort() });

const areEqual = (one: Labels, other: Labels): boolean =>
  one.title === other.title && one.tags.join() === other.tags.join();

/** Returns the search index of a new body. @throws {PrepareAgain} for a large body that was indexed under other labels */
export function indexOfBody({ index, headings, text, addresses }: Body, labels: Labels): SearchIndex {
  if (index !== undefined && areEqual(index.labels, labels)) return index.entry;
  if (isLarge(text.length)) throw new PrepareAgain();
  return indexDocument({ ...labels, headings, text, addresses });
}

/** Returns the search index of the stored body under new labels. @throws {PrepareAgain} for a large one that is not prepared */
export async function storedIndex(
  { tx, actor }: Pick<WriteContext, "tx" | "actor">,
  before: DocumentRow,
  labels: Labels,
  prepared: PreparedIndex | undefined,
): Promise<SearchIndex> {
  if (prepared?.revision === before.revision && areEqual(prepared.labels, labels)) return prepared.entry;
  if (isKnownLarge(before)) throw new PrepareAgain();
  const retitled = indexUnderTitle(before, labels);
  if (retitled !== undefined) return retitled;
  const content = before.smallContent ?? (await readStoredBody(tx, actor, before.id))?.content ?? "";
  return tasks.indexOfStored({ content, text: before.text, labels });
}

/** Tells whether a body is large by its Markdown or its text: rules and images have Markdown and no text. */
const isKnownLarge = ({ smallContent, folded, text }: DocumentRow): boolean =>
  smallContent === null || folded === null || isLarge(text.length);

/** Returns the index that the stored one becomes by a change of the title alone, where it was read and suffices. */
function indexUnderTitle({ title, text, tags, folded, vector }: DocumentRow, labels: Labels): SearchIndex | undefined {
  if (folded == null || vector == null || !areEqual(labelsOf({ title: labels.title, tags }), labels)) return undefined;
  return retitledIndex({ folded, vector, text }, title, labels.title);
}
