import { type Actor, readableParents } from "@kb/auth";
import { type Sql, sql } from "@kb/db";
import { z } from "zod";

/** A document above another, as breadcrumbs show it. */
export const Ancestor = z
  .object({ id: z.uuid(), title: z.string(), emoji: z.string().nullable() })
  .meta({ id: "Ancestor" });

/** The chain of parents always ends at the top; this bounds the damage of a defect. */
const deepest = 100;

/**
 * Selects the documents above `documents d` that the caller may see, from the top, as a JSON list of `Ancestor`. The list
 * begins below the nearest one that is hidden or in the trash. `LIMIT` makes PostgreSQL look each parent up by its id: without
 * statistics, right after an import, it would read all documents of the team for each level.
 */
export function ancestorsOf(actor: Actor): Sql {
  const visible = sql`p."teamId" = ${actor.teamId}::uuid AND p."deletedAt" IS NULL AND ${readableParents(actor)}`;
  return sql`(WITH RECURSIVE above AS (
      SELECT p.id, p.title, p.emoji, p."parentDocumentId", 1 AS height FROM documents p
      WHERE p.id = d."parentDocumentId" AND ${visible}
      UNION ALL
      SELECT p.id, p.title, p.emoji, p."parentDocumentId", a.height + 1 FROM above a CROSS JOIN LATERAL (
        SELECT p.id, p.title, p.emoji, p."parentDocumentId" FROM documents p
        WHERE p.id = a."parentDocumentId" AND ${visible} LIMIT 1) p WHERE a.height < ${deepest}::int
    ) SELECT COALESCE(jsonb_agg(jsonb_build_object('id', above.id, 'title', above.title, 'emoji', above.emoji)
      ORDER BY above.height DESC), '[]') FROM above)`;
}
