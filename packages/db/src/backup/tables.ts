import type pg from "pg";
import { readMigrations } from "../migration-files.ts";

/** A table, and its columns in their order; computed columns are left out, PostgreSQL computes them again. */
export type Table = { readonly name: string; readonly columns: readonly string[] };

/** The account of the migrations: the restored database keeps its own. */
const account = "_prisma_migrations";

/** Every table of the schema that the connection works in, by name. */
export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> $1 AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [account],
  );
  return rows;
}

/** The tables that some migration of this program makes: others that stand beside them are somebody else's. */
export async function ownTableNames(directory?: string): Promise<ReadonlySet<string>> {
  const names = (await readMigrations(directory)).flatMap(({ sql }) =>
    [...sql.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gi)].map(([, name]) => name ?? ""),
  );
  return new Set(names);
}

/** A name as SQL takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** What COPY names: the table and its columns, so that no order of columns matters. */
export const copyTarget = ({ name, columns }: Table): string => `${quoted(name)} (${columns.map(quoted).join(", ")})`;
