import pg from "pg";

/** Runs one statement on a connection of its own, which no pool can keep open. Returns its rows. */
export const runStatement = <Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> =>
  onConnection(url, async (client) => (await client.query<Row>(statement)).rows);

/** Opens a connection of its own, which no pool can keep open, while `run` uses it. Returns what `run` returns. */
export async function onConnection<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
