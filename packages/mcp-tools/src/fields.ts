import { z } from "zod";

const longestAddress = 2_000;
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** A schema for ids of one kind: a UUID, or an address that ends on the kind and the UUID. `""` is none. */
function idOf(kind: "documents" | "collections") {
  const address = new RegExp(`^(?:[a-z][a-z0-9+.-]*://(?:\\S*/)?${kind}/)?(${uuid})/?(?:[?#].*)?$`, "i");
  return (text: string, context: z.RefinementCtx<string>): string => {
    const id = text.length > longestAddress ? undefined : address.exec(text.trim())?.[1]?.toLowerCase();
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: "Must be a UUID or the URL of the thing" });
    return z.NEVER;
  };
}

const documentId = idOf("documents");
const collectionId = idOf("collections");

/** A document, by its UUID or its URL. */
export const DocumentId = z.string().transform(documentId).meta({ description: "UUID or URL" });

/** The same, where assistants send `""` for none. */
export const OptionalDocumentId = z
  .string()
  .transform((text, context) => (text.trim() === "" ? undefined : documentId(text, context)))
  .optional();

/** A collection, by its UUID or its URL. */
export const CollectionId = z.string().transform(collectionId);

/** The same, where assistants send `""` for none. */
export const OptionalCollectionId = z
  .string()
  .transform((text, context) => (text.trim() === "" ? undefined : collectionId(text, context)))
  .optional();

/** A text that may be left out, or be `""`, which is the same. */
export const OptionalText = z
  .string()
  .transform((text) => (text === "" ? undefined : text))
  .optional();

/** Guards of every change of one document. */
export const guards = {
  expectedRevision: z.int().min(1).optional(),
  dryRun: z.boolean().optional(),
};

/** The state by which documents are picked. */
export const status = z.enum(["draft", "published", "archived"]).optional();
