import { z } from "zod";
import { Timestamp } from "./text.ts";

/** A document as every edge shows it. */
export const Document = z
  .object({
    id: z.uuid(),
    title: z.string(),
    emoji: z.string().nullable(),
    text: z.string().nullable(),
    collectionId: z.uuid().nullable(),
    parentDocumentId: z.uuid().nullable(),
    teamId: z.uuid(),
    createdById: z.uuid().nullable(),
    lastModifiedById: z.uuid().nullable(),
    publishedAt: Timestamp.nullable(),
    archivedAt: Timestamp.nullable(),
    deletedAt: Timestamp.nullable(),
    revision: z.int().min(1),
    tags: z.array(z.string()),
    sortOrder: z.number(),
    fullWidth: z.boolean(),
    collaborativeId: z.string().nullable(),
    url: z.url(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    markdownText: z.string().optional(),
    content: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "Document" });

/** A document before the output schema has checked it. */
export type DocumentView = z.input<typeof Document>;

/** The part of a document that a list with `fields` shows. */
const DocumentFields = Document.omit({ content: true })
  .partial()
  .meta({ id: "DocumentFields", description: "The fields of a document that `fields` names." });

type FieldName = keyof typeof DocumentFields.shape;

const fieldNames: ReadonlySet<string> = new Set(Object.keys(DocumentFields.shape));
const maxFieldsLength = 1_000;

const isFieldName = (name: string): name is FieldName => fieldNames.has(name);

/** Field names of a document, separated by commas: a list then shows only these of each row. */
export const Fields = z
  .string()
  .refine((text) => text.length <= maxFieldsLength, { message: `At most ${maxFieldsLength} characters`, abort: true })
  .transform((text, context): readonly FieldName[] => {
    const names = text.split(",").map((name) => name.trim());
    const unknown = names.find((name) => !isFieldName(name));
    if (unknown === undefined) return names.filter(isFieldName);
    context.addIssue(`Unknown field ${JSON.stringify(unknown)}. The fields are ${[...fieldNames].join(", ")}`);
    return z.NEVER;
  })
  .meta({ description: "Field names, separated by commas: only these of each row. Without it, rows are complete." });

/** The names of the fields that a list shows; undefined for all. */
export type SelectedFields = z.output<typeof Fields> | undefined;

/**
 * A row of a list: the whole document, or the fields that the request selects. Its type is the whole document, because
 * code that calls the operation and selects nothing gets nothing less.
 */
export const ListedDocument: z.ZodType<z.output<typeof Document>, DocumentView> = asWhole(
  z.union([Document, DocumentFields]),
);

/** Types a document that may lack fields as a whole one; see `ListedDocument`. */
function asWhole(schema: z.ZodType): z.ZodType<z.output<typeof Document>, DocumentView> {
  return schema as z.ZodType<z.output<typeof Document>, DocumentView>;
}

/** Returns the selected fields of a document, typed as the whole; see `ListedDocument`. */
export function selectFields(document: DocumentView, fields: SelectedFields): DocumentView {
  if (fields === undefined) return document;
  const entries = Object.entries(document).filter(([name]) => isFieldName(name) && fields.includes(name));
  return Object.fromEntries(entries) as DocumentView;
}

/** The result of a change for a client that knows the rest. */
const MinimalDocument = Document.pick({ id: true, revision: true, updatedAt: true }).meta({ id: "MinimalDocument" });

/** A changed document: all of it, or its revision only if the request says so. Typed as `ListedDocument` is. */
export const UpdatedDocument: z.ZodType<z.output<typeof Document>, DocumentView> = asWhole(
  z.union([Document, MinimalDocument]),
);

/** Returns the minimal form of a document, typed as the whole; see `UpdatedDocument`. */
export function minimalDocument({ id, revision, updatedAt }: DocumentView): DocumentView {
  return { id, revision, updatedAt } as DocumentView;
}

/** The revision that the client has read; another current revision is a conflict. */
export const ExpectedRevision = z.int().min(1);
