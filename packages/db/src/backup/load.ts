import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from } from "pg-copy-streams";
import { readMigrations } from "../migration-files.ts";
import { type AppliedMigration, MigrationError } from "../migration-status.ts";
import { createDatabaseIfMissing, lockMigrations, type MigrateOptions, migrate } from "../migrations.ts";
import { openLongSession } from "./session.ts";
import { copyTarget, ownTableNames, quoteName, readTables, type Table } from "./tables.ts";

/** The target of a restore is not empty; the message says what it contains. */
export class NotEmptyError extends Error {
  override readonly name = "NotEmptyError";
}

/** Loads rows in one transaction. */
export type Loading = {
  /** Loads the rows of a table in COPY's format; returns their number. */
  load(table: Table, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** Runs a query in the same transaction. */
  rows<Row extends pg.QueryResultRow>(query: string): Promise<Row[]>;
};

/** Options of loading. `migrations` are those of the database from which the rows come. */
export type LoadOptions = Pick<MigrateOptions, "onProgress" | "directory"> & {
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly Table[];
};

/**
 * Fills an empty database: builds the schema of the backup, runs `fill` in one transaction, then applies newer migrations.
 * Leaves no rows after a failure.
 * @throws {NotEmptyError}
 * @throws {MigrationError} if this program does not know the schema of the rows
 */
export async function loadDatabase<T>(
  url: string,
  options: LoadOptions,
  fill: (loading: Loading) => Promise<T>,
): Promise<T> {
  const { migrations, tables, directory, onProgress = () => {} } = options;
  await requireKnownMigrations(migrations, directory);
  await createDatabaseIfMissing(url, onProgress);
  const client = await openLongSession(url);
  try {
    await dropEmptyTables(client, directory);
    const names = new Set(migrations.map(({ name }) => name));
    await migrate(url, { onProgress, ...(directory === undefined ? {} : { directory }), only: names });
    const result = await fillInTransaction(client, tables, fill);
    await client.query("ANALYZE");
    await migrate(url, { onProgress, ...(directory === undefined ? {} : { directory }) });
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

async function requireKnownMigrations(migrations: readonly AppliedMigration[], directory?: string): Promise<void> {
  const known = new Map((await readMigrations(directory)).map(({ name, checksum }) => [name, checksum]));
  const unknown = migrations.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0) {
    throw new MigrationError(
      `the backup comes from a newer version than this program: it has migration ${unknown.join(", ")}`,
    );
  }
  const edited = migrations.filter(({ name, checksum }) => known.get(name) !== checksum).map(({ name }) => name);
  if (edited.length > 0) {
    throw new MigrationError(`migration ${edited.join(", ")} of the backup differs from this version's`);
  }
}

/** Drops the product's tables if they are empty, so that the schema of the backup can be built. @throws {NotEmptyError} */
async function dropEmptyTables(client: pg.Client, directory?: string): Promise<void> {
  await client.query("BEGIN");
  try {
    await lockMigrations(client);
    const tables = await requireEmptyTables(client, directory);
    for (const { name } of tables) await client.query(`DROP TABLE ${quoteName(name)} CASCADE`);
    if (tables.length > 0) await dropTypesAndRoutines(client);
    await client.query("DROP TABLE IF EXISTS _prisma_migrations");
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Drops types and routines, except those of an extension. */
async function dropTypesAndRoutines(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT 'TYPE ' || t.oid::regtype AS what FROM pg_type t
     WHERE t.typtype = 'e' AND t.typnamespace = current_schema()::regnamespace
     UNION ALL SELECT 'ROUTINE ' || p.oid::regprocedure FROM pg_proc p
     WHERE p.pronamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  for (const { what } of rows) await client.query(`DROP ${what} CASCADE`);
}

/** Locks every table exclusively and returns them. @throws {NotEmptyError} */
async function requireEmptyTables(client: pg.Client, directory?: string): Promise<Table[]> {
  const tables = await readTables(client);
  const own = await ownTableNames(directory);
  const other = tables.find(({ name }) => !own.has(name));
  if (other !== undefined) throw new NotEmptyError(`it has a table "${other.name}"`);
  for (const { name } of tables) {
    await client.query(`LOCK TABLE ${quoteName(name)} IN ACCESS EXCLUSIVE MODE`);
    const { rows } = await client.query(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`);
    if (rows.length > 0) throw new NotEmptyError(`there are rows in "${name}"`);
  }
  return tables;
}

async function fillInTransaction<T>(
  client: pg.Client,
  tables: readonly Table[],
  fill: (loading: Loading) => Promise<T>,
): Promise<T> {
  await client.query("BEGIN");
  try {
    const present = await requireEmptyTables(client);
    requireTables(present, tables);
    const references = await dropReferences(client);
    const triggers = await disableTriggers(client);
    const result = await fill({
      load: (table, chunks) => load(client, table, chunks),
      rows: async (query) => (await client.query(query)).rows,
    });
    await renameLogs(client, present);
    for (const statement of [...references, ...triggers]) await client.query(statement);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A broken connection has rolled back already.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

function requireTables(present: readonly Table[], wanted: readonly Table[]): void {
  const columns = new Map(present.map((table) => [table.name, new Set(table.columns)]));
  for (const { name, columns: names } of wanted) {
    const missing = names.find((column) => columns.get(name)?.has(column) !== true);
    if (missing !== undefined)
      throw new MigrationError(`the migrations of the backup do not create the column "${missing}" of "${name}"`);
  }
}

/** Drops the foreign keys, so that rows can be loaded in any order; returns the statements that restore them. */
async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );
  const alter = (table: string, what: string): string => `ALTER TABLE ${quoteName(table)} ${what}`;
  for (const { table, name } of rows) await client.query(alter(table, `DROP CONSTRAINT ${quoteName(name)}`));
  return rows.map(({ table, name, definition }) => alter(table, `ADD CONSTRAINT ${quoteName(name)} ${definition}`));
}

/** Disables triggers, whose rows are in the backup too; returns the statements that enable them. */
async function disableTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT DISTINCT c.relname AS "table" FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  for (const { table } of rows) await client.query(`ALTER TABLE ${quoteName(table)} DISABLE TRIGGER USER`);
  return rows.map(({ table }) => `ALTER TABLE ${quoteName(table)} ENABLE TRIGGER USER`);
}

/**
 * Gives each log of live editing another name: a client may hold batches that were accepted after the backup, whose numbers the
 * log assigns again. It opens the document again instead.
 */
async function renameLogs(client: pg.Client, tables: readonly Table[]): Promise<void> {
  if (!tables.some(({ name }) => name === "live_documents")) return;
  await client.query(`UPDATE live_documents SET lineage = gen_random_uuid()`);
  await client.query(`UPDATE documents d SET "collaborativeId" = l.lineage FROM live_documents l
    WHERE l."teamId" = d."teamId" AND l."documentId" = d.id`);
}

async function load(client: pg.Client, table: Table, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const stream = client.query(from(`COPY ${copyTarget(table)} FROM STDIN`));
  await pipeline(chunks, stream);
  return stream.rowCount;
}
