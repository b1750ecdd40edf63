import { empty, type Sql, sql } from "@kb/db";

/** A page of `documents d` in which tagged documents are searched. */
export type TaggedPage = {
  /** The conditions of the page except the one on tags. */
  readonly where: Sql;
  /** The conditions, except the team, that bound how far the index is read: `AND …`. */
  readonly range: Sql;
  readonly order: Sql;
  /** The number of rows that the page needs. */
  readonly rows: number;
  /** The collection, if only one is listed. */
  readonly collectionId?: Sql | undefined;
};

/** Returns how many matches to expect among the rows that are read: more than the page needs, as they spread unevenly. */
const expectedMatches = (rows: number): number => 2 * rows + 10;

/** Returns the ids of the documents that have any of the tags, as an expression of type `uuid[]`, which `tagIds` is as well. */
export const idsOfTagged = (teamId: string, tagIds: Sql): Sql => sql`ARRAY(SELECT dt."documentId" FROM document_tags dt
    WHERE dt."teamId" = ${teamId}::uuid AND dt."tagId" = ANY (${tagIds}))`;

/**
 * Returns the condition on `documents d` that they have any of the tags; `tagIds` is an expression of type `uuid[]`. The ids of
 * the documents are an array, so that each is looked up by its key: the planner does not know how common a tag is and would
 * read all documents of all teams.
 *
 * For a common tag, a page is found sooner by reading in its order until it is full. This is tried if the team's counts
 * predict that it reads fewer documents; if the prediction fails, all tagged documents are looked up.
 */
export function tagged(teamId: string, tagIds: Sql, page?: TaggedPage): Sql {
  const all = idsOfTagged(teamId, tagIds);
  if (page === undefined) return sql`d.id = ANY (${all})`;
  // Without MATERIALIZED, each would be computed again at every use.
  return sql`d.id = ANY ((WITH tag AS MATERIALIZED (SELECT ${tagIds} AS ids),
    read AS MATERIALIZED (SELECT ${readSize(teamId, page)} AS size),
    seen AS MATERIALIZED (SELECT d.id, (${page.where} AND (SELECT TRUE FROM document_tags dt WHERE dt."teamId" = ${teamId}::uuid
        AND dt."documentId" = d.id AND dt."tagId" = ANY ((SELECT ids FROM tag)::uuid[]) LIMIT 1)) AS hit
      FROM (SELECT d.* FROM documents d WHERE d."teamId" = ${teamId}::uuid${page.range}
        ORDER BY ${page.order} FETCH FIRST (SELECT size FROM read) ROWS WITH TIES) d)
    SELECT CASE WHEN count(*) FILTER (WHERE hit) >= ${page.rows}::bigint OR count(*) < (SELECT size FROM read)
      THEN ARRAY(SELECT id FROM seen WHERE hit) ELSE ${all} END FROM seen)::uuid[])`;
}

/**
 * Returns how many documents to read in order; 0 if looking up all tagged ones costs less. In a place with few documents all
 * are read, the trash included: then there are certainly no more.
 */
function readSize(teamId: string, { rows, collectionId }: TaggedPage): Sql {
  const place = collectionId === undefined ? empty : sql` AND k."collectionId" = ${collectionId}`;
  const sum = (counts: Sql): Sql => sql`COALESCE((SELECT sum(k.count) FROM ${counts}), 0)::float8`;
  const carriers = sql`document_tag_counts k
    WHERE k."teamId" = ${teamId}::uuid AND k."tagId" = ANY ((SELECT ids FROM tag)::uuid[])`;
  // Reading a row and checking its tag costs a quarter of a look-up.
  return sql`(SELECT CASE WHEN m.size > 4 * m.carriers THEN 0 ELSE m.size END::bigint FROM (
    SELECT n.carriers, ceil(LEAST(${expectedMatches(rows)}::float8 * n.documents / GREATEST(n.here, 1), 1.25 * n.documents + 50)) AS size
    FROM (SELECT ${sum(carriers)} AS carriers, ${sum(sql`${carriers}${place}`)} AS here,
      ${sum(sql`document_counts k WHERE k."teamId" = ${teamId}::uuid${place}`)} AS documents OFFSET 0) n OFFSET 0) m)`;
}
