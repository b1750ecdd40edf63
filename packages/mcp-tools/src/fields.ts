import { z } from "zod";

const maxAddressLength = 2_000;
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Returns a parser of ids: a UUID, or a URL that ends in the kind and the UUID. */
function idParser(kind: "documents" | "collections") {
  const address = new RegExp(`^(?:[a-z][a-z0-9+.-]*://(?:\\S*/)?${kind}/)?(${uuid})/?(?:[?#].*)?$`, "i");
  return (text: string, context: z.RefinementCtx<string>): string => {
    const id = text.length > maxAddressLength ? undefined : address.exec(text.trim())?.[1]?.toLowerCase();
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: "Must be a UUID or a URL that contains it" });
    return z.NEVER;
  };
}

const documentId = idParser("documents");
const collectionId = idParser("collections");

/** Accepts the UUID or the URL of a document. */
export const DocumentId = z.string().transform(documentId).meta({ description: "UUID or URL" });

/** Accepts the UUID or the URL of a document, or `""` for none, which some assistants send. */
export const OptionalDocumentId = z
  .string()
  .transform((text, context) => (text.trim() === "" ? undefined : documentId(text, context)))
  .optional();

/** Accepts the UUID or the URL of a collection. */
export const CollectionId = z.string().transform(collectionId);

/** Accepts the UUID or the URL of a collection, or `""` for none. */
export const OptionalCollectionId = z
  .string()
  .transform((text, context) => (text.trim() === "" ? undefined : collectionId(text, context)))
  .optional();

/** Accepts an optional text. `""` counts as absent. */
export const OptionalText = z
  .string()
  .transform((text) => (text === "" ? undefined : text))
  .optional();

/** The parameters that guard a change of a document. */
export const guards = {
  expectedRevision: z.int().min(1).optional(),
  dryRun: z.boolean().optional(),
};

/** Accepts the state to filter documents by. */
export const status = z.enum(["draft", "published", "archived"]).optional();

/** Accepts a list of tags. */
export const OptionalTags = z.array(z.string()).optional();
