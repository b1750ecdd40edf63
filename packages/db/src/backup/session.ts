import pg from "pg";

/**
 * A connection for one long piece of work, in which no limit of a request or of the account's own cuts it short. Values are
 * written in the one form that every PostgreSQL reads alike.
 */
export async function longSession(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 3_000,
    application_name: "kb backup",
    keepAlive: true,
  });
  // A connection that breaks is told by the statement that it breaks.
  client.on("error", () => {});
  await client.connect();
  await client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s';
    SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; SET intervalstyle = 'postgres';
    SET bytea_output = 'hex'; SET extra_float_digits = 1`);
  return client;
}
