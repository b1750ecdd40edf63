import { z } from "zod";

const maxAddressLength = 2_000;
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Returns a function that finds the id in a UUID, or in a URL that ends in the kind and the UUID. */
function idFinder(kind: "documents" | "collections") {
  const address = new RegExp(`^(?:[a-z][a-z0-9+.-]*://(?:\\S*/)?${kind}/)?(${uuid})/?(?:[?#].*)?$`, "i");
  return (text: string): string | undefined =>
    text.length > maxAddressLength ? undefined : address.exec(text.trim())?.[1]?.toLowerCase();
}

/** The error about a value that is no id. */
export const notAnId = "Must be a UUID or a URL that contains it";

/** Returns a parser of ids: a UUID, or a URL that contains it. */
function idParser(find: (text: string) => string | undefined) {
  return (text: string, context: z.RefinementCtx<string>): string => {
    const id = find(text);
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: notAnId });
    return z.NEVER;
  };
}

const collectionAddress = idFinder("collections");
const documentId = idParser(idFinder("documents"));
const collectionId = idParser(collectionAddress);

/** Accepts the UUID or the URL of a document. */
export const DocumentId = z.string().transform(documentId).meta({ description: "UUID or URL" });

/** Accepts the UUID or the URL of a document, or `""` for none, which some assistants send. */
export const OptionalDocumentId = z
  .string()
  .transform((text, context) => (text.trim() === "" ? undefined : documentId(text, context)))
  .optional();

const asCollection = (text: string, context: z.RefinementCtx<string>): string | undefined =>
  text.trim() === "" ? undefined : collectionId(text, context);

/** Accepts the UUID or the URL of a collection, or `""` for none. */
const OptionalCollectionId = z.string().transform(asCollection).optional();

/** A collection by its id or by its name. */
type CollectionName = { readonly name: string };

/** Accepts the UUID, the URL or the name of a collection, or `""` for none. */
const OptionalCollection = z
  .string()
  .transform((text): string | CollectionName | undefined =>
    text.trim() === "" ? undefined : (collectionAddress(text) ?? { name: text }),
  )
  .optional();

/** The two parameters that name a collection. */
export const collectionParameters = {
  collection: OptionalCollection.meta({ description: "Name, UUID or URL" }),
  collectionId: OptionalCollectionId.meta({ description: "Its UUID" }),
};

/** The values of `collectionParameters`. */
export type CollectionInput = {
  readonly collection?: string | CollectionName | undefined;
  readonly collectionId?: string | undefined;
};

/** Accepts an optional text. `""` counts as absent. */
export const OptionalText = z
  .string()
  .transform((text) => (text === "" ? undefined : text))
  .optional();

/** The parameters that guard a change of a document. */
export const guards = {
  expectedRevision: z.int().min(1).optional().meta({ description: "Fails if another one is current" }),
  dryRun: z.boolean().optional().meta({ description: "Only shows the diff" }),
};

/** Accepts the state to filter documents by. */
export const status = z
  .enum(["draft", "published", "archived"])
  .optional()
  .meta({ description: "Without it: drafts and published" });

/** The parameters of a page. */
export const paging = (most: number) => ({
  limit: z.int().min(1).max(most).optional().meta({ description: "Rows" }),
  cursor: OptionalText.meta({ description: "The last nextCursor" }),
});

/** Accepts a list of tags. */
export const OptionalTags = z.array(z.string()).optional();
