import {
  type Actor,
  carries,
  collectionLevel,
  decideDocument,
  keyDocumentLevel,
  type Level,
  readableCollections,
} from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import { ancestorsOf } from "../documents/ancestors.ts";

/** A document with its place, as assistants see it in lists: names instead of ids, and no body. */
export type PlacedRow = {
  id: string;
  title: string;
  /** Null when the caller may not see the collection. */
  collectionName: string | null;
  /** The titles of the documents above it that the caller may see, from the top. */
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

/** The select list of a `PlacedRow`, for use with `placed`. */
export function placedColumns(actor: Actor): Sql {
  return sql`d.id, d.title, d.revision, d."createdById", d."publishedAt", d."archivedAt", d."deletedAt", d."updatedAt",
    CASE WHEN ${readableCollections(actor)} THEN c.name END AS "collectionName",
    CASE WHEN c.id IS NULL THEN NULL ELSE ${collectionLevel(actor, "c")} END AS level, ${keyDocumentLevel(actor)} AS "keyLevel",
    ARRAY(SELECT above.ancestor ->> 'title' FROM jsonb_array_elements(${ancestorsOf(actor)})
      WITH ORDINALITY AS above(ancestor, place) ORDER BY above.place) AS path,
    ARRAY(SELECT t.name FROM document_tags dt JOIN tags t ON t."teamId" = dt."teamId" AND t.id = dt."tagId"
      WHERE dt."teamId" = d."teamId" AND dt."documentId" = d.id AND NOT t.restricted ORDER BY t.name) AS tags`;
}

/** The rows of `documents d` that a subquery returns, each with its collection `c`. */
export function placed(documents: Sql): Sql {
  return sql`(${documents}) d LEFT JOIN collections c ON c."teamId" = d."teamId" AND c.id = d."collectionId"`;
}

/** Tells whether the caller may edit the document; also checks the scope of the credential. */
export function canWrite(actor: Actor, row: PlacedRow): boolean {
  return carries(actor, "write") && decideDocument(actor, "edit", row) === "allow";
}
