import type { Actor } from "@kb/auth";
import { type DocumentView, invoke, operations, type Service } from "@kb/core";

/** The fields of an existing document that an import uses. */
export type ExistingDocument = Pick<
  DocumentView,
  "id" | "title" | "parentDocumentId" | "sortOrder" | "revision" | "url"
>;

/** The documents of a collection before an import, by place and title. */
export type Existing = {
  /** Takes a document by place and title, each once. Prefers the one at the same position, else the oldest. */
  take(parentId: string | null, title: string, position: number): ExistingDocument | undefined;
};

const pageSize = 100;
// Without the texts, which a collection may have any number of.
const fields = "id,title,parentDocumentId,sortOrder,revision,url";

/** Reads the documents of the collection, including archived ones, to recognize files that were imported before. */
export async function existingDocuments(service: Service, actor: Actor, collectionId: string): Promise<Existing> {
  const places = new Map<string, SameTitle>();
  const filter = {
    collectionId,
    status: ["draft", "published", "archived"],
    sort: "createdAt",
    limit: pageSize,
    fields,
  };
  for (let offset = 0; ; offset += pageSize) {
    const { data } = await invoke(service, operations.listDocuments, actor, { ...filter, offset });
    for (const row of data) {
      const document = existingDocumentOf(row);
      const key = place(document.parentDocumentId, document.title);
      const same = places.get(key) ?? new SameTitle();
      places.set(key, same);
      same.add(document);
    }
    if (data.length < pageSize) break;
  }
  return { take: (parentId, title, position) => places.get(place(parentId, title))?.take(position) };
}

/** The existing documents of an empty collection. */
export const noneExisting: Existing = { take: () => undefined };

const place = (parentId: string | null, title: string): string => `${parentId ?? ""}\n${title}`;

/** Returns a row as a document: the list was requested with these fields, and returns no tombstones. */
function existingDocumentOf(row: object): ExistingDocument {
  return row as ExistingDocument;
}

/** Documents of one title in one place, from the oldest. Taking one takes the same time however many there are. */
class SameTitle {
  readonly #all = new Set<ExistingDocument>();
  readonly #byPosition = new Map<number, ExistingDocument[]>();

  add(document: ExistingDocument): void {
    this.#all.add(document);
    const same = this.#byPosition.get(document.sortOrder);
    if (same === undefined) this.#byPosition.set(document.sortOrder, [document]);
    else same.push(document);
  }

  take(position: number): ExistingDocument | undefined {
    const here = this.#byPosition.get(position)?.find((document) => this.#all.has(document));
    const [oldest] = this.#all;
    const found = here ?? oldest;
    if (found !== undefined) this.#all.delete(found);
    return found;
  }
}
