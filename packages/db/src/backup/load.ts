import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from } from "pg-copy-streams";
import { readMigrations } from "../migration-files.ts";
import { type AppliedMigration, MigrationError } from "../migration-status.ts";
import { createDatabaseIfMissing, lockMigrations, type MigrateOptions, migrate } from "../migrations.ts";
import { longSession } from "./session.ts";
import { copyTarget, ownTableNames, quoted, type Table, tablesOf } from "./tables.ts";

/** A database that is to be restored and is not empty; the message says what is there. */
export class NotEmptyError extends Error {
  override readonly name = "NotEmptyError";
}

/** Where rows go. Nothing of it is there for others before all of it is. */
export type Loading = {
  /** Takes the rows of a table as COPY wrote them; gives how many they were. */
  load(table: Table, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** The rows that are there by now. */
  rows<Row extends pg.QueryResultRow>(query: string): Promise<Row[]>;
};

/** How to load: `migrations` are those that the database had from which the rows come. */
export type LoadOptions = Pick<MigrateOptions, "onProgress" | "directory"> & {
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly Table[];
};

/**
 * Fills an empty database: builds the schema as it was, runs `fill` in one transaction, then brings the schema up to date.
 * When anything fails, no row is there.
 * @throws {NotEmptyError}
 * @throws {MigrationError} for rows of a schema that this program does not know.
 */
export async function loadDatabase<T>(
  url: string,
  options: LoadOptions,
  fill: (loading: Loading) => Promise<T>,
): Promise<T> {
  const { migrations, tables, directory, onProgress = () => {} } = options;
  await requireKnown(migrations, directory);
  await createDatabaseIfMissing(url, onProgress);
  const client = await longSession(url);
  try {
    await clear(client, directory);
    const names = new Set(migrations.map(({ name }) => name));
    await migrate(url, { onProgress, ...(directory === undefined ? {} : { directory }), only: names });
    const result = await inOneGo(client, tables, fill);
    await client.query("ANALYZE");
    await migrate(url, { onProgress, ...(directory === undefined ? {} : { directory }) });
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

async function requireKnown(migrations: readonly AppliedMigration[], directory?: string): Promise<void> {
  const known = new Map((await readMigrations(directory)).map(({ name, checksum }) => [name, checksum]));
  const unknown = migrations.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new MigrationError(
      `the backup is of a newer version than this program: it has migration ${unknown.join(", ")}`,
    );
  }
  const edited = migrations.filter(({ name, checksum }) => known.get(name) !== checksum).map(({ name }) => name);
  if (edited.length > 0) {
    throw new MigrationError(`the backup was made with another text of migration ${edited.join(", ")}`);
  }
}

/** Takes away tables of ours that hold nothing, so that the schema is built as it was; anything else stays, and stops it. */
async function clear(client: pg.Client, directory?: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await lockMigrations(client);
    const tables = await requireEmpty(client, directory);
    for (const { name } of tables) await client.query(`DROP TABLE ${quoted(name)} CASCADE`);
    if (tables.length > 0) await dropRest(client);
    await client.query("DROP TABLE IF EXISTS _prisma_migrations");
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** What migrations make beside tables: types and functions, but for those of an extension. */
async function dropRest(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT 'TYPE ' || t.oid::regtype AS what FROM pg_type t
     WHERE t.typtype = 'e' AND t.typnamespace = current_schema()::regnamespace
     UNION ALL SELECT 'ROUTINE ' || p.oid::regprocedure FROM pg_proc p
     WHERE p.pronamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  for (const { what } of rows) await client.query(`DROP ${what} CASCADE`);
}

/** Locks every table against everybody, and gives them. */
async function requireEmpty(client: pg.Client, directory?: string): Promise<Table[]> {
  const tables = await tablesOf(client);
  const own = await ownTableNames(directory);
  const other = tables.find(({ name }) => !own.has(name));
  if (other !== undefined) throw new NotEmptyError(`it has a table "${other.name}"`);
  for (const { name } of tables) {
    await client.query(`LOCK TABLE ${quoted(name)} IN ACCESS EXCLUSIVE MODE`);
    const { rows } = await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (rows.length > 0) throw new NotEmptyError(`there are rows in "${name}"`);
  }
  return tables;
}

async function inOneGo<T>(
  client: pg.Client,
  tables: readonly Table[],
  fill: (loading: Loading) => Promise<T>,
): Promise<T> {
  await client.query("BEGIN");
  try {
    const present = await requireEmpty(client);
    requireTables(present, tables);
    const references = await dropReferences(client);
    const triggers = await stillTriggers(client);
    const result = await fill({
      load: (table, chunks) => load(client, table, chunks),
      rows: async (query) => (await client.query(query)).rows,
    });
    for (const statement of [...references, ...triggers]) await client.query(statement);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A connection that broke has rolled back by itself.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

function requireTables(present: readonly Table[], wanted: readonly Table[]): void {
  const columns = new Map(present.map((table) => [table.name, new Set(table.columns)]));
  for (const { name, columns: names } of wanted) {
    const missing = names.find((column) => columns.get(name)?.has(column) !== true);
    if (missing !== undefined) throw new MigrationError(`its migrations make no column "${missing}" of "${name}"`);
  }
}

/** Rows come in any order, and are held to the references once all are there. Gives what puts them back. */
async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );
  const alter = (table: string, what: string): string => `ALTER TABLE ${quoted(table)} ${what}`;
  for (const { table, name } of rows) await client.query(alter(table, `DROP CONSTRAINT ${quoted(name)}`));
  return rows.map(({ table, name, definition }) => alter(table, `ADD CONSTRAINT ${quoted(name)} ${definition}`));
}

/** What triggers write is among the rows that come: they are still meanwhile. Gives what wakes them again. */
async function stillTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT DISTINCT c.relname AS "table" FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  for (const { table } of rows) await client.query(`ALTER TABLE ${quoted(table)} DISABLE TRIGGER USER`);
  return rows.map(({ table }) => `ALTER TABLE ${quoted(table)} ENABLE TRIGGER USER`);
}

async function load(client: pg.Client, table: Table, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const stream = client.query(from(`COPY ${copyTarget(table)} FROM STDIN`));
  await pipeline(chunks, stream);
  return stream.rowCount;
}
