import type pg from "pg";
import { to } from "pg-copy-streams";
import { sqlState, toUnavailableError } from "../errors.ts";
import { readMigrations } from "../migration-files.ts";
import {
  type AppliedMigration,
  MigrationError,
  readAppliedMigrations,
  readMigrationStatus,
  requireSoundMigrations,
} from "../migration-status.ts";
import { openLongSession } from "./session.ts";
import { copySource, ownTableNames, quoteName, readTables, type Table } from "./tables.ts";

/** A consistent view of every table. */
export type Snapshot = {
  readonly tables: readonly Table[];
  /** Tables in the same schema that no migration of this program creates. */
  readonly foreign: readonly string[];
  readonly migrations: readonly AppliedMigration[];
  /** Copies the rows of a table in COPY's format. */
  copy(table: Table): TableCopy;
  /** Reads the rows of a query in pages. */
  pages<Row extends pg.QueryResultRow>(query: string): AsyncGenerator<Row[]>;
};

export type TableCopy = {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Returns the number of rows after all chunks were read. */
  rows(): number;
};

const pageRows = 500;

/**
 * Runs a function with a snapshot of the database. Others can read and write meanwhile; migrations wait.
 * @throws {MigrationError} if this program does not know the schema, or a migration is unfinished
 */
export async function withSnapshot<T>(url: string, run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = await openLongSession(url).catch((error: unknown) => {
    throw sqlState(error) === "3D000" ? nothingToBackUp("the database does not exist") : toUnavailableError(error);
  });
  try {
    const found = await beginSnapshot(client);
    return await run({
      ...found,
      copy: (table) => copyOut(client, table),
      pages: (query) => readPages(client, query),
    });
  } finally {
    await client.end().catch(() => {});
  }
}

const nothingToBackUp = (why: string): MigrationError => new MigrationError(`there is nothing to back up: ${why}`);

type Found = Pick<Snapshot, "tables" | "foreign" | "migrations">;

/** Locks the tables before the first query takes the snapshot, so that it shows the tables that were locked. */
async function beginSnapshot(client: pg.Client): Promise<Found> {
  const own = await ownTableNames();
  for (;;) {
    const before = await readTables(client);
    const tables = before.filter(({ name }) => own.has(name));
    if (tables.length === 0) throw nothingToBackUp("the database has no tables of kb");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    await client.query(`LOCK TABLE ${tables.map(({ name }) => quoteName(name)).join(", ")} IN ACCESS SHARE MODE`);
    const after = await readTables(client);
    if (JSON.stringify(after) === JSON.stringify(before)) {
      requireSoundMigrations(await readMigrationStatus(client, await readMigrations()));
      const foreign = before.filter(({ name }) => !own.has(name)).map(({ name }) => name);
      return { tables, foreign, migrations: await readAppliedMigrations(client) };
    }
    await client.query("ROLLBACK");
  }
}

function copyOut(client: pg.Client, table: Table): TableCopy {
  const stream = client.query(to(`COPY (${copySource(table)}) TO STDOUT`));
  return { chunks: stream, rows: () => stream.rowCount };
}

async function* readPages<Row extends pg.QueryResultRow>(client: pg.Client, query: string): AsyncGenerator<Row[]> {
  await client.query(`DECLARE pages NO SCROLL CURSOR FOR ${query}`);
  try {
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${pageRows} FROM pages`);
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    // A failed transaction has closed its cursor already.
    await client.query("CLOSE pages").catch(() => {});
  }
}
