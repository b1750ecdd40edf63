import type pg from "pg";
import { MigrationError } from "./migration-status.ts";

/** The oldest major version of PostgreSQL that the service runs on. */
export const oldestPostgres = 15;

/** Returns whether the service does not run on a version, such as `14.23 (Debian 14.23-1)`, or cannot read it. */
export const isTooOld = (version: string): boolean => !(Number.parseInt(version, 10) >= oldestPostgres);

/** How a database stores and compares text. */
export type TextFacts = {
  /** The encoding of text; the service needs `UTF8`. */
  readonly encoding: string;
  /** Whether the locale knows the capitals of other letters than A to Z. */
  readonly knowsCapitals: boolean;
  /** The version of the locales that the indexes are sorted by. Null if they depend on none. */
  readonly sortedBy: string | null;
  /** The version of the locales that the server has now. */
  readonly present: string | null;
};

/** Reads how the database of a connection stores and compares text. */
export async function readTextFacts(client: pg.ClientBase): Promise<TextFacts> {
  const encoding = await showSetting(client, "server_encoding");
  // Others may lack the letters of the next statement.
  if (encoding !== "UTF8") return { encoding, knowsCapitals: false, sortedBy: null, present: null };
  const { rows } = await client.query<TextFacts>(
    `SELECT pg_encoding_to_char(d.encoding) AS encoding, lower('Ä') = 'ä' AS "knowsCapitals", d.datcollversion AS "sortedBy",
       pg_database_collation_actual_version(d.oid) AS present FROM pg_database d WHERE d.datname = current_database()`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error("the server does not list the database of the connection");
  return facts;
}

/** Requires a server of a version on which the service runs. @throws {MigrationError} */
export async function requireVersion(client: pg.ClientBase): Promise<void> {
  const version = await showSetting(client, "server_version");
  if (isTooOld(version)) throw new MigrationError(`PostgreSQL ${version} is too old: use ${oldestPostgres} or newer`);
}

/** Requires a server and a database that the migrations and the service work with. @throws {MigrationError} */
export async function requireUsableServer(client: pg.ClientBase): Promise<void> {
  await requireVersion(client);
  const encoding = await showSetting(client, "server_encoding");
  if (encoding !== "UTF8")
    throw new MigrationError(
      `the database stores text as ${encoding}: create one with ENCODING 'UTF8' TEMPLATE template0, and name it in DATABASE_URL`,
    );
}

async function showSetting(client: pg.ClientBase, name: "server_encoding" | "server_version"): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(`SHOW ${name}`);
  return rows[0]?.[name] ?? "";
}
