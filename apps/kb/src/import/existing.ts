import type { Actor } from "@kb/auth";
import { type DocumentView, invoke, operations, type Service } from "@kb/core";

/** The documents that a collection holds before an import, by their place and title. */
export type Existing = {
  /** Takes a document of this title at this place, each once: of several the one at the same position, else the oldest. */
  take(parentId: string | null, title: string, position: number): DocumentView | undefined;
};

const pageSize = 100;

/** Reads what is in the collection, the archive included: a file that was imported before is known again by its place. */
export async function existingDocuments(service: Service, actor: Actor, collectionId: string): Promise<Existing> {
  const byPlace = new Map<string, DocumentView[]>();
  const filter = { collectionId, status: ["draft", "published", "archived"], sort: "createdAt", limit: pageSize };
  for (let offset = 0; ; offset += pageSize) {
    const { data } = await invoke(service, operations.listDocuments, actor, { ...filter, offset });
    for (const document of data) {
      // A tombstone: only a sync has them.
      if (!("title" in document)) continue;
      const key = place(document.parentDocumentId, document.title);
      byPlace.set(key, [...(byPlace.get(key) ?? []), document]);
    }
    if (data.length < pageSize) break;
  }
  return {
    take: (parentId, title, position) => {
      const same = byPlace.get(place(parentId, title)) ?? [];
      const index = same.findIndex((document) => document.sortOrder === position);
      return same.splice(Math.max(index, 0), 1)[0];
    },
  };
}

const place = (parentId: string | null, title: string): string => `${parentId ?? ""}\n${title}`;
