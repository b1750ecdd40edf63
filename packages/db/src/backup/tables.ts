import type pg from "pg";
import { readMigrations } from "../migration-files.ts";

/** A table and its columns in order, without generated columns, which PostgreSQL computes again. */
export type Table = { readonly name: string; readonly columns: readonly string[] };

/** The table of applied migrations, of which the restored database keeps its own. */
const migrationsTable = "_prisma_migrations";

/** Reads the tables of the current schema, in order of their names. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> $1 AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [migrationsTable],
  );
  return rows;
}

/** Returns the names of the tables that the migrations of this program create. */
export async function ownTableNames(directory?: string): Promise<ReadonlySet<string>> {
  const names = (await readMigrations(directory)).flatMap(({ sql }) =>
    [...sql.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gi)].map(([, name]) => name ?? ""),
  );
  return new Set(names);
}

/** Quotes an identifier. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const columnList = ({ columns }: Table): string => columns.map(quoteName).join(", ");

/** Returns the target of COPY: the table with its columns, so that their order does not matter. */
export const copyTarget = (table: Table): string => `${quoteName(table.name)} (${columnList(table)})`;

/** Returns the source of COPY. PostgreSQL copies a partitioned table by a query only. */
export const copySource = (table: Table): string => `SELECT ${columnList(table)} FROM ${quoteName(table.name)}`;
