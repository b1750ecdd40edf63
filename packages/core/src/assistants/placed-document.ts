import {
  type Actor,
  carries,
  collectionLevel,
  decideDocument,
  keyDocumentLevel,
  type Level,
  readableCollections,
  readableParents,
} from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import { z } from "zod";

/** A document with its place, as assistants see it in lists: no ids to look up, no body. */
export type PlacedRow = {
  id: string;
  title: string;
  /** Null when the caller may not know of the collection. */
  collectionName: string | null;
  /** The titles above it, from the top, as far as the caller may see them. */
  path: string[];
  tags: string[];
  revision: number;
  createdById: string | null;
  publishedAt: Date | null;
  archivedAt: Date | null;
  deletedAt: Date | null;
  updatedAt: Date;
  level: Level | null;
  keyLevel: Level | null;
};

// A document's line of parents ends at the top; this only bounds what a defect could make of it.
const deepest = 100;

/** The select list of a `PlacedRow`, for `placed(…)`. */
export function placedColumns(actor: Actor): Sql {
  const above = sql`p."teamId" = ${actor.teamId}::uuid AND p."deletedAt" IS NULL AND ${readableParents(actor)}`;
  return sql`d.id, d.title, d.revision, d."createdById", d."publishedAt", d."archivedAt", d."deletedAt", d."updatedAt",
    CASE WHEN ${readableCollections(actor)} THEN c.name END AS "collectionName",
    CASE WHEN c.id IS NULL THEN NULL ELSE ${collectionLevel(actor, "c")} END AS level, ${keyDocumentLevel(actor)} AS "keyLevel",
    ARRAY(WITH RECURSIVE above AS (
      SELECT p.title, p."parentDocumentId", 1 AS height FROM documents p WHERE p.id = d."parentDocumentId" AND ${above}
      UNION ALL
      SELECT p.title, p."parentDocumentId", a.height + 1 FROM above a JOIN documents p ON p.id = a."parentDocumentId"
      WHERE a.height < ${deepest} AND ${above}
    ) SELECT above.title FROM above ORDER BY above.height DESC) AS path,
    ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
      WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags`;
}

/** The rows of `documents d` that a subquery gives, each with its collection `c`. */
export function placed(documents: Sql): Sql {
  return sql`(${documents}) d LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"`;
}

/** Whether the caller may change the document, by what the credential carries too. */
export function canWrite(actor: Actor, row: PlacedRow): boolean {
  return carries(actor, "write") && decideDocument(actor, "edit", row) === "allow";
}

/** The state of a document in one word. */
export const DocumentStatus = z.enum(["draft", "published", "archived"]);

export function statusOf(row: { publishedAt: Date | null; archivedAt: Date | null }): z.output<typeof DocumentStatus> {
  if (row.archivedAt !== null) return "archived";
  return row.publishedAt === null ? "draft" : "published";
}
