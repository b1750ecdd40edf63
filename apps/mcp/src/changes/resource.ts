import { isUuid } from "@kb/db";

/** A resource that changes are told of. */
export type Resource = { readonly kind: "document" | "collection"; readonly id: string };

const folders = { document: "documents", collection: "collections" } as const;

/** `kb://documents/<id>`, `kb://collections/<id>`. */
export function uriOf({ kind, id }: Resource): string {
  return `kb://${folders[kind]}/${id}`;
}

/** Null for a text that names no resource. */
export function resourceOf(uri: string): Resource | null {
  const [, folder, id = ""] = /^kb:\/\/(documents|collections)\/([^/?#]+)$/.exec(uri) ?? [];
  if (!isUuid(id)) return null;
  return { kind: folder === folders.document ? "document" : "collection", id: id.toLowerCase() };
}
