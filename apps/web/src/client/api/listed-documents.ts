import type * as operations from "@kb/core/operations";
import type { z } from "zod";
import type { TimeForm } from "../../messages/dates.ts";

/** Fields of a row in a list: nothing of the body. */
export const listedFields =
  "id,title,emoji,collectionId,parentDocumentId,createdById,lastModifiedById,updatedAt,publishedAt,archivedAt,deletedAt,tags";

/** The number of rows on a page of a list. */
export const pageSize = 50;

/** Returns the part of a list that a page shows, counted from 1. */
export const pageOfList = (page: number) => ({ limit: pageSize, offset: (page - 1) * pageSize });

/** The fields of a document that a row shows. */
export type DocumentRow = {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly isDraft?: boolean;
  /** The titles above it, from the collection downwards. */
  readonly path?: readonly string[];
  readonly updatedAt?: string | undefined;
  /** How its last change is told; the day, unless somebody waits for news. */
  readonly timeForm?: TimeForm | undefined;
  /** When it was put into the archive or the trash, which is shown instead of its last change. */
  readonly left?: Departure | undefined;
};

type Departure = {
  readonly for: "archive" | "trash";
  readonly time: string;
  /** Undefined where the document was changed since: nobody is known then. */
  readonly byId?: string | undefined;
  /** The name of that person. */
  readonly by?: string | undefined;
};

type Page = z.output<typeof operations.listDocuments.output>;
type Listed = Extract<Page["data"][number], { readonly title: string }>;

/** Returns the documents of a page of a list, which are all of its rows unless it is a page of a sync. */
export function listedDocuments({ data }: Page): Listed[] {
  return data.flatMap((row) => ("title" in row ? [row] : []));
}

/** A row of a page of documents. */
export type ListedRow = DocumentRow & Pick<Listed, "collectionId" | "createdById">;

type Named = { readonly id: string; readonly name: string };

/** Returns what a row shows of a document. It names the collection if that is among those that are given. */
export function rowOf(document: Listed, collections: readonly Named[] = []): ListedRow {
  const { id, title, emoji, collectionId, createdById, publishedAt, updatedAt } = document;
  const path = collections.flatMap((each) => (each.id === collectionId ? [each.name] : []));
  return {
    id,
    title,
    emoji,
    collectionId,
    createdById,
    isDraft: publishedAt === null,
    path,
    updatedAt,
    left: departureOf(document),
  };
}

function departureOf({ archivedAt, deletedAt, updatedAt, lastModifiedById }: Listed): Departure | undefined {
  const time = deletedAt ?? archivedAt;
  if (time === null) return undefined;
  const byId = updatedAt === time ? (lastModifiedById ?? undefined) : undefined;
  return { for: deletedAt === null ? "archive" : "trash", time, byId };
}

/** Returns rows for a list of nothing but drafts: its heading or its filter says so once. */
export function withoutDraftMarks<Row extends DocumentRow>(rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, isDraft: false }));
}

/** Returns what asks for the names of those who put documents away; undefined if there is nobody to name. */
export function peopleOf(rows: readonly DocumentRow[]): { readonly ids: string[]; readonly limit: number } | undefined {
  const ids = new Set(rows.flatMap(({ left }) => left?.byId ?? []));
  return ids.size === 0 ? undefined : { ids: [...ids].sort(), limit: pageSize };
}

/** Returns the rows with the names of those who put the documents away, as far as these are among the people. */
export function withPeople<Row extends DocumentRow>(rows: readonly Row[], people: readonly Named[]): Row[] {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.map((row) => (row.left?.byId ? { ...row, left: { ...row.left, by: names.get(row.left.byId) } } : row));
}
