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

export type DocumentView = z.input<typeof Document>;

/** What the client saw last: another revision by now is a conflict. */
export const ExpectedRevision = z.int().min(1);
