import pg from "pg";

/** The connection between a client and PostgreSQL. */
export type Pooling = {
  /** Whether a pooler lends connections for less than a session: locks, notifications and prepared statements do not stay. */
  readonly isShared: boolean;
  /** The time after which PostgreSQL cancels a statement that comes this way; 0 for never. */
  readonly statementTimeoutMs: number;
};

type Session = { readonly pid: number; readonly timeoutMs: number };

/**
 * Finds out whether the server of an address keeps one session for each connection, as PostgreSQL and poolers of sessions do. Two
 * connections that take turns would see the same process of PostgreSQL, or one of them two processes.
 */
export async function readPooling(url: string): Promise<Pooling> {
  return withClient(url, (first) =>
    withClient(url, async (second) => {
      const before = await readSession(first);
      // Holds the connection that the first client has just returned, if it returned one.
      await second.query("BEGIN");
      const other = await readSession(second);
      const isShared = before.pid === other.pid || before.pid !== (await readSession(first)).pid;
      await second.query("ROLLBACK");
      return { isShared, statementTimeoutMs: before.timeoutMs };
    }),
  );
}

async function readSession(client: pg.Client): Promise<Session> {
  const { rows } = await client.query<Session>(
    `SELECT pg_backend_pid() AS pid, setting::int AS "timeoutMs" FROM pg_settings WHERE name = 'statement_timeout'`,
  );
  const [session] = rows;
  if (session === undefined) throw new Error("the server did not describe its session");
  return session;
}

/**
 * Returns what identifies a database; null for a replica, which a pooler that balances reads may answer with.
 * @throws the error of an address that does not answer
 */
async function readDatabase(url: string): Promise<string | null> {
  return withClient(url, async (client) => {
    // The name alone may be the same on a server that was copied, and the number on any two; no other server began at the same time.
    const { rows } = await client.query<{ database: string | null }>(
      `SELECT CASE WHEN NOT pg_is_in_recovery() THEN concat_ws(' ', oid, extract(epoch FROM pg_postmaster_start_time())) END AS database
        FROM pg_database WHERE datname = current_database()`,
    );
    return rows[0]?.database ?? null;
  });
}

/** Returns whether two addresses lead to the same database of the same server; null if one does not answer, or is a replica. */
export async function isSameDatabase(url: string, other: string): Promise<boolean | null> {
  try {
    const [one, two] = await Promise.all([readDatabase(url), readDatabase(other)]);
    return one === null || two === null ? null : one === two;
  } catch {
    return null;
  }
}

/** Messages of `pg`, of PgBouncer and of PostgreSQL for a connection that is not to be had while others hold them. */
const busy = /^Query read timeout|query_wait_timeout|max_client_conn|connection slots|too many (?:clients|connections)/;

/** Returns whether a server that answers has no free connection. */
export const isOutOfConnections = (error: unknown): boolean => error instanceof Error && busy.test(error.message);

/** Sends no parameter that poolers refuse. */
async function withClient<T>(connectionString: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000, query_timeout: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return await run(client);
  } finally {
    await client.end().catch(() => {});
  }
}
