import type * as operations from "@kb/core/operations";
import type { z } from "zod";

/** Fields of a row in a list: nothing of the body. */
export const listedFields =
  "id,title,emoji,collectionId,parentDocumentId,updatedAt,publishedAt,archivedAt,deletedAt,tags";

/** The number of rows on a page of a list. */
export const pageSize = 50;

/** The fields of a document that a row shows. */
export type DocumentRow = {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly isDraft?: boolean;
  /** The titles above it, from the collection downwards. */
  readonly path?: readonly string[];
  readonly updatedAt?: string;
};

type Page = z.output<typeof operations.listDocuments.output>;
type Listed = Extract<Page["data"][number], { readonly title: string }>;

/** Returns the documents of a page of a list, which are all of its rows unless it is a page of a sync. */
export function listedDocuments({ data }: Page): Listed[] {
  return data.flatMap((row) => ("title" in row ? [row] : []));
}

/** Returns what a row shows of a document. */
export function rowOf({ id, title, emoji, publishedAt, updatedAt }: Listed): DocumentRow {
  return { id, title, emoji, isDraft: publishedAt === null, updatedAt };
}
