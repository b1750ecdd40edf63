import { type Actor, readableDocuments } from "@kb/auth";
import { type Sql, sql } from "@kb/db";

/**
 * Returns the condition on `documents d` that they link to a document. A hidden document has no links for the caller, even
 * from documents that they may read.
 */
export function linksTo(actor: Actor, id: string): Sql {
  return sql`d.id = ANY (ARRAY(SELECT l."fromId" FROM document_links l
      WHERE l."teamId" = ${actor.teamId}::uuid AND l."toId" = ${id}::uuid))
    AND EXISTS (SELECT 1 FROM documents d WHERE d.id = ${id}::uuid AND d."deletedAt" IS NULL AND ${readableDocuments(actor)})`;
}
