import { isUuid } from "@kb/db";

/** A resource that an assistant can follow. */
export type Resource = { readonly kind: "document" | "collection"; readonly id: string };

const folders = { document: "documents", collection: "collections" } as const;

/** Returns `kb://documents/<id>` or `kb://collections/<id>`. */
export function uriOf({ kind, id }: Resource): string {
  return `kb://${folders[kind]}/${id}`;
}

/** Parses a resource URI. Returns null for any other text. */
export function parseResourceUri(uri: string): Resource | null {
  const [, folder, id = ""] = /^kb:\/\/(documents|collections)\/([^/?#]+)$/.exec(uri) ?? [];
  if (!isUuid(id)) return null;
  return { kind: folder === folders.document ? "document" : "collection", id: id.toLowerCase() };
}
