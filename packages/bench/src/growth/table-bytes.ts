import type pg from "pg";

/** The bytes of a row of a table, in the table and in each of its indexes. */
export type TableBytes = {
  readonly table: string;
  readonly rows: number;
  /** With what PostgreSQL stores apart (TOAST). */
  readonly inTable: number;
  readonly indexes: number;
  readonly inIndexes: number;
};

/** Reads the sizes of tables with at least `fewest` rows, with all of their partitions, largest first. Run VACUUM ANALYZE before. */
export async function readTableBytes(client: pg.Client, fewest: number): Promise<TableBytes[]> {
  const { rows } = await client.query<TableBytes>(
    `WITH part AS (
       SELECT c.oid, coalesce(p.relname, c.relname) AS name, greatest(c.reltuples, 0) AS tuples
       FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace)
     SELECT name AS "table", sum(tuples)::float8 AS rows,
       (sum(pg_table_size(oid)) / sum(tuples))::float8 AS "inTable",
       max((SELECT count(*) FROM pg_index x WHERE x.indrelid = oid))::int AS indexes,
       (sum(pg_indexes_size(oid)) / sum(tuples))::float8 AS "inIndexes"
     FROM part GROUP BY name HAVING sum(tuples) >= $1 ORDER BY sum(pg_total_relation_size(oid)) DESC`,
    [fewest],
  );
  return rows;
}
