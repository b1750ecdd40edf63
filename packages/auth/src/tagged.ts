import { empty, type Sql, sql } from "@kb/db";

/** What is known of a page of `documents d`, when the tagged ones among them are looked for. */
export type TaggedPage = {
  /** The conditions of the page, but that on tags. */
  readonly where: Sql;
  /** Those of them that bound how far its index is read, the team aside: `AND …`. */
  readonly range: Sql;
  readonly order: Sql;
  /** How many rows of the order the page needs. */
  readonly rows: number;
  /** The only collection that is listed. */
  readonly collectionId?: Sql | undefined;
};

/** How many that belong on a page should be among those that are read, were they spread evenly: more than it needs. */
const hoped = (rows: number): number => 2 * rows + 10;

/**
 * The condition on `documents d` that a document carries any of the tags; `tagIds` is an expression of type `uuid[]`. The ids of
 * the documents come as an array, so that each is looked up by its key: the planner does not know how common a tag is, and would
 * read all documents of all teams.
 *
 * Of a tag that many carry a page is found sooner by reading on in its order until it is full. That is tried where the counts
 * of the team promise that it looks at fewer documents; where they promise too much, all that are tagged are looked up.
 */
export function tagged(teamId: string, tagIds: Sql, page?: TaggedPage): Sql {
  const all = sql`ARRAY(SELECT dt."documentId" FROM document_tags dt
    WHERE dt."teamId" = ${teamId}::uuid AND dt."tagId" = ANY (${tagIds}))`;
  if (page === undefined) return sql`d.id = ANY (${all})`;
  // Materialized, or each is worked out again wherever it is named.
  return sql`d.id = ANY ((WITH tag AS MATERIALIZED (SELECT ${tagIds} AS ids),
    read AS MATERIALIZED (SELECT ${howMany(teamId, page)} AS size),
    seen AS MATERIALIZED (SELECT d.id, (${page.where} AND (SELECT TRUE FROM document_tags dt WHERE dt."teamId" = ${teamId}::uuid
        AND dt."documentId" = d.id AND dt."tagId" = ANY ((SELECT ids FROM tag)::uuid[]) LIMIT 1)) AS hit
      FROM (SELECT d.* FROM documents d WHERE d."teamId" = ${teamId}::uuid${page.range}
        ORDER BY ${page.order} FETCH FIRST (SELECT size FROM read) ROWS WITH TIES) d)
    SELECT CASE WHEN count(*) FILTER (WHERE hit) >= ${page.rows}::bigint OR count(*) < (SELECT size FROM read)
      THEN ARRAY(SELECT id FROM seen WHERE hit) ELSE ${all} END FROM seen)::uuid[])`;
}

/**
 * How many documents of the order to read; 0 where looking up all that are tagged is less. Of a place that holds few all are
 * read, and what is in the trash: then it is known that there are no more.
 */
function howMany(teamId: string, { rows, collectionId }: TaggedPage): Sql {
  const place = collectionId === undefined ? empty : sql` AND k."collectionId" = ${collectionId}`;
  const sum = (counts: Sql): Sql => sql`COALESCE((SELECT sum(k.count) FROM ${counts}), 0)::float8`;
  const carriers = sql`document_tag_counts k
    WHERE k."teamId" = ${teamId}::uuid AND k."tagId" = ANY ((SELECT ids FROM tag)::uuid[])`;
  // To read on, and to look for the tag, takes a quarter of what a look-up takes.
  return sql`(SELECT CASE WHEN m.size > 4 * m.carriers THEN 0 ELSE m.size END::bigint FROM (
    SELECT n.carriers, ceil(LEAST(${hoped(rows)}::float8 * n.documents / GREATEST(n.here, 1), 1.25 * n.documents + 50)) AS size
    FROM (SELECT ${sum(carriers)} AS carriers, ${sum(sql`${carriers}${place}`)} AS here,
      ${sum(sql`document_counts k WHERE k."teamId" = ${teamId}::uuid${place}`)} AS documents OFFSET 0) n OFFSET 0) m)`;
}
