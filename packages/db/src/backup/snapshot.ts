import type pg from "pg";
import { to } from "pg-copy-streams";
import { sqlState, translated } from "../errors.ts";
import { readMigrations } from "../migration-files.ts";
import {
  type AppliedMigration,
  appliedMigrations,
  MigrationError,
  refuseUnsound,
  statusOf,
} from "../migration-status.ts";
import { longSession } from "./session.ts";
import { copyTarget, ownTableNames, quoted, type Table, tablesOf } from "./tables.ts";

/** Every table at one moment, whatever is written meanwhile. */
export type Snapshot = {
  readonly tables: readonly Table[];
  /** Tables in the same schema that no migration of this program makes. */
  readonly foreign: readonly string[];
  readonly migrations: readonly AppliedMigration[];
  /** The rows of a table as COPY writes them, in chunks, and how many they were. */
  copy(table: Table): TableCopy;
  /** The rows of a query, so many at a time. */
  pages<Row extends pg.QueryResultRow>(query: string): AsyncGenerator<Row[]>;
};

export type TableCopy = {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Known when all chunks were taken. */
  rows(): number;
};

const pageRows = 500;

/**
 * Runs with a snapshot of the whole database. Everybody else reads and writes on meanwhile; a migration waits, so that no
 * table changes its form.
 * @throws {MigrationError} where the schema is not one that this program knows, or a migration was left half-way.
 */
export async function withSnapshot<T>(url: string, run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = await longSession(url).catch((error: unknown) => {
    throw sqlState(error) === "3D000" ? nothingThere("there is no such database") : translated(error);
  });
  try {
    const found = await begin(client);
    return await run({
      ...found,
      copy: (table) => copyOut(client, table),
      pages: (query) => pagesOf(client, query),
    });
  } finally {
    await client.end().catch(() => {});
  }
}

const nothingThere = (why: string): MigrationError => new MigrationError(`there is nothing to back up: ${why}`);

type Found = Pick<Snapshot, "tables" | "foreign" | "migrations">;

/** The locks come before the snapshot, as `LOCK` takes none: what was seen of the tables is what the snapshot shows. */
async function begin(client: pg.Client): Promise<Found> {
  const own = await ownTableNames();
  for (;;) {
    const before = await tablesOf(client);
    const tables = before.filter(({ name }) => own.has(name));
    if (tables.length === 0) throw nothingThere("the database has no tables of kb");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    await client.query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(", ")} IN ACCESS SHARE MODE`);
    const after = await tablesOf(client);
    if (JSON.stringify(after) === JSON.stringify(before)) {
      refuseUnsound(await statusOf(client, await readMigrations()));
      const foreign = before.filter(({ name }) => !own.has(name)).map(({ name }) => name);
      return { tables, foreign, migrations: await appliedMigrations(client) };
    }
    await client.query("ROLLBACK");
  }
}

function copyOut(client: pg.Client, table: Table): TableCopy {
  const stream = client.query(to(`COPY ${copyTarget(table)} TO STDOUT`));
  return { chunks: stream, rows: () => stream.rowCount };
}

async function* pagesOf<Row extends pg.QueryResultRow>(client: pg.Client, query: string): AsyncGenerator<Row[]> {
  await client.query(`DECLARE pages NO SCROLL CURSOR FOR ${query}`);
  try {
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${pageRows} FROM pages`);
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    // Where the transaction has failed, the cursor is gone with it.
    await client.query("CLOSE pages").catch(() => {});
  }
}
