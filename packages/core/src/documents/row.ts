import {
  type Actor,
  type DocumentFacts,
  documentFacts,
  knownParents,
  type Level,
  perActor,
  visibleDocument,
} from "@kb/auth";
import { empty, type Reader, raw, type Sql, sql } from "@kb/db";
import { type LiveVersions, liveVersions } from "../live/versions.ts";
import type { DocumentView, SelectedFields } from "../schema/document.ts";
import { timestamp, timestampOrNull } from "../schema/text.ts";
import { maxOnEventLoop } from "../threads/max-on-event-loop.ts";
import type { BodyParts, ListedBodies } from "./body-parts.ts";

/** The columns of a document that are shown or needed for changes. */
export type DocumentRow = {
  id: string;
  teamId: string;
  title: string;
  emoji: string | null;
  collectionId: string | null;
  parentDocumentId: string | null;
  /** Whether the caller may see the parent; a hidden parent is shown as null. */
  parentVisible: boolean;
  collaborativeId: string | null;
  sortOrder: number;
  fullWidth: boolean;
  revision: number;
  createdById: string | null;
  lastModifiedById: string | null;
  publishedAt: Date | null;
  archivedAt: Date | null;
  deletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  text: string;
  tags: string[];
  markdown?: string;
  content?: Record<string, unknown>;
  /** The content of a small body as JSON text; null if it is large. */
  smallContent?: string | null;
  /** The search index of a small body; null if it is large. */
  folded?: string | null;
  vector?: string | null;
  /** Where the document's log stands; null without a log, absent in lists. */
  live?: LiveVersions | null;
};

/** Returns the parts of the body that a list reads. */
export function partsFor(fields: SelectedFields, format: "markdown" | undefined): BodyParts {
  if (fields === undefined) return { markdown: format === "markdown" };
  return { text: fields.includes("text"), markdown: fields.includes("markdownText") };
}

/**
 * Returns the select list for `documents d JOIN document_bodies b`, as the caller may see them. Tag names never include
 * restricted tags. Documents that were deleted with their collection have none. A list passes the columns of its bodies.
 */
export function documentColumns(actor: Actor, parts: BodyParts = {}, listed?: ListedBodies): Sql {
  const { text = sql`b.text`, markdown = sql`b.markdown` } = listed?.parts ?? {};
  return sql`d.id, d."teamId", d.title, d.emoji, ${livingCollection} AS "collectionId", d."parentDocumentId", d."collaborativeId",
    d."sortOrder", d."fullWidth", d.revision, d."createdById", d."lastModifiedById", d."publishedAt", d."archivedAt", d."deletedAt",
    d."createdAt", d."updatedAt", ${parts.text === false ? sql`''` : text} AS text,
    (d."parentDocumentId" IS NULL OR EXISTS (SELECT 1 FROM documents p WHERE p.id = d."parentDocumentId"
      AND ${knownParents(actor)})) AS "parentVisible",
    ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
      WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted) AS tags
    ${parts.markdown ? sql`, ${markdown} AS markdown` : empty}${listed === undefined ? empty : sql`, ${listed.columns}`}${parts.content ? sql`, b.content` : empty}${
      parts.smallContent ? sql`, CASE WHEN ${isSmall} THEN b.content::text END AS "smallContent"` : empty
    }${
      parts.smallIndex
        ? sql`, CASE WHEN ${isSmall} THEN b.folded END AS folded, CASE WHEN ${isSmall} THEN b.vector::text END AS vector`
        : empty
    }`;
}

const isSmall = sql`octet_length(b.markdown) <= ${raw(String(maxOnEventLoop))}`;

/** The document's collection, or null if it was deleted, which happens only in the trash. */
const livingCollection = sql`CASE WHEN d."deletedAt" IS NULL THEN d."collectionId" ELSE (SELECT l.id FROM collections l
  WHERE l."teamId" = d."teamId" AND l.id = d."collectionId" AND l."deletedAt" IS NULL) END`;

/** `documents d` with its body `b`. */
export const fromDocuments = sql`documents d JOIN document_bodies b ON b."teamId" = d."teamId" AND b."documentId" = d.id`;

/**
 * Joins the bodies `b` of documents `d` that were already selected. Looks each up: the planner cannot know that a page
 * is short and would read all bodies.
 */
export const withBodies = sql`CROSS JOIN LATERAL (SELECT own.* FROM document_bodies own
  WHERE own."teamId" = d."teamId" AND own."documentId" = d.id LIMIT 1) b`;

/** Returns the document as the contract shows it. */
export function presentDocument(row: DocumentRow, appUrl: string): DocumentView {
  return {
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    text: row.text,
    collectionId: row.collectionId,
    parentDocumentId: row.parentVisible ? row.parentDocumentId : null,
    teamId: row.teamId,
    createdById: row.createdById,
    lastModifiedById: row.lastModifiedById,
    publishedAt: timestampOrNull(row.publishedAt),
    archivedAt: timestampOrNull(row.archivedAt),
    deletedAt: timestampOrNull(row.deletedAt),
    revision: row.revision,
    tags: [...row.tags].sort(),
    sortOrder: row.sortOrder,
    fullWidth: row.fullWidth,
    collaborativeId: row.collaborativeId,
    url: documentUrl(appUrl, row.id),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    ...(row.markdown === undefined ? {} : { markdownText: row.markdown }),
    ...(row.content === undefined ? {} : { content: row.content }),
  };
}

/** Returns an unchanged document without the body parts that were read for the change. */
export function presentUnchanged({ markdown: _, content: __, ...row }: DocumentRow, appUrl: string): DocumentView {
  return presentDocument(row, appUrl);
}

/** Returns the address of a document in the app. */
export const documentUrl = (appUrl: string, id: string): string => `${appUrl}/documents/${id}`;

/** A document with the facts that the policy needs. */
export type DocumentWithFacts = DocumentRow & { level: Level | null; keyLevel: Level | null };

/** Joins `documents d` with its collection `c`, if any, and the facts `f` of the policy. */
export const withFacts = perActor(
  (actor): Sql => sql`LEFT JOIN collections c ON c."teamId" = d."teamId"
  AND c.id = d."collectionId" CROSS JOIN LATERAL ${documentFacts(actor)} f`,
);

/**
 * Reads a document with the facts of the policy: 1 statement. Returns null for one that is hidden or does not exist;
 * the content of a hidden one is not read.
 */
export async function findDocument(
  reader: Reader,
  actor: Actor,
  id: string,
  parts: BodyParts = {},
): Promise<DocumentWithFacts | null> {
  const [row] = await reader.rows<DocumentWithFacts>(documentById(actor, id, parts));
  return row ?? null;
}

/** Returns the statement of `findDocument`, to be sent with others. */
export const documentById = (actor: Actor, id: string, parts: BodyParts): Sql => sql`
    SELECT ${documentColumns(actor, parts)}, f.level, f."keyLevel", ${liveVersions} AS live FROM ${fromDocuments} ${withFacts(actor)}
    WHERE d."teamId" = ${actor.teamId}::uuid AND d.id = ${id}::uuid AND ${visibleDocument(actor)}`;

/** Returns a row as facts of the policy. The names are the same, so this only narrows the type. */
export const factsOf = (row: DocumentWithFacts): DocumentFacts => row;
