import { type Sql, sql } from "@kb/db";
import { type TextConditions, textConditions } from "./conditions.ts";

/** A team with at most this number of documents is searched without the index, which all teams share. */
const smallTeam = 100;
/** A team with at most this share of the documents of all teams counts as small as well. */
const smallShare = 0.001;

/**
 * Returns the query of `team`, the common table expression that `matchingIds` reads. The number of all documents is
 * the one that PostgreSQL estimated last; it is -1 before that.
 */
export function teamSize(teamId: string): Sql {
  return sql`SELECT counted.documents, counted.documents <= (SELECT GREATEST(${smallTeam}::int, p.reltuples * ${smallShare}::float8)
      FROM pg_class p WHERE p.oid = 'document_bodies'::regclass) AS "isSmall"
    FROM (SELECT COALESCE(sum(c.count), 0) AS documents FROM document_counts c WHERE c."teamId" = ${teamId}::uuid) counted`;
}

/**
 * Returns the ids of a team's documents that match a tsquery, whoever asks. A large team is searched by the index, a small
 * one by its key, so that a search does not depend on the other teams. `team` decides, not the planner (see `indexed`).
 * The words are in a subquery, so that the plan does not depend on them.
 */
export function matchingIds(teamId: string, matches: string, texts?: TextConditions): Sql {
  const found = sql`b.vector @@ (SELECT ${matches}::tsquery)`;
  const inside = texts === undefined ? sql`TRUE` : textConditions(sql`b.folded`, texts);
  return sql`SELECT b."documentId" FROM document_bodies b WHERE NOT (SELECT "isSmall" FROM team) AND ${found}
      AND ${indexed(teamId)} AND ${inside}
    UNION ALL
    SELECT b."documentId" FROM document_bodies b WHERE (SELECT "isSmall" FROM team) AND ${found}
      AND b."teamId" = ${teamId}::uuid AND ${inside}`;
}

/**
 * Returns the condition that `document_bodies b` belongs to a team, for a query by the index of words. Without statistics,
 * as after an import, the planner would read every vector instead, and it does not know that a vector must be unpacked.
 * Therefore no index of teams serves this condition, and an alternative that is never evaluated adds a cost to each row.
 */
export function indexed(teamId: string): Sql {
  return sql`b."teamId" IS NOT DISTINCT FROM ${teamId}::uuid AND (b.vector IS NOT NULL
    OR EXISTS (SELECT 1 FROM documents d WHERE d."teamId" = b."teamId" AND d.id = b."documentId"))`;
}
