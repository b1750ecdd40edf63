import pg from "pg";

/**
 * Opens a connection for long work, without the timeouts of requests and accounts. Values are written in formats that
 * every PostgreSQL reads.
 */
export async function openLongSession(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 3_000,
    application_name: "kb backup",
    keepAlive: true,
  });
  // A broken connection fails the running statement.
  client.on("error", () => {});
  await client.connect();
  await client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '30s';
    SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; SET intervalstyle = 'postgres';
    SET bytea_output = 'hex'; SET extra_float_digits = 1`);
  return client;
}
