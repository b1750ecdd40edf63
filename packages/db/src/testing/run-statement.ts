import pg from "pg";

/** Runs one statement on a connection of its own, which no pool can keep open. Returns its rows. */
export async function runStatement<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
