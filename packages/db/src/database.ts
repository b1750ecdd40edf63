import { PrismaPg } from "@prisma/adapter-pg";
import type { QueryResult } from "pg";
import { ConnectionPool } from "./connections.ts";
import { translated } from "./errors.ts";
import { PrismaClient } from "./generated/client.ts";
import { tenantGuard } from "./guard.ts";
import { newId } from "./ids.ts";
import { guarded, type Models } from "./models.ts";
import { type PoolOptions, poolDefaults } from "./pool.ts";
import { type Reader, type Sql, sql } from "./sql.ts";
import { statementCache } from "./statements.ts";
import { tenancyOf } from "./tenants.ts";
import { queryOf, readTransaction, type TransactionOptions, type Tx, transaction } from "./transaction.ts";

/** Raw SQL that is not asked for `"teamId"`. */
export type UnguardedSql = Reader & { execute(statement: Sql): Promise<number> };

/** The one way to PostgreSQL. Every door throws `DatabaseUnavailableError` where trying again may help. */
export type Database = Reader & {
  /** The guarded models, outside any transaction. */
  client: Models;
  /** One statement outside any transaction; the number of rows that it touched. */
  execute(statement: Sql): Promise<number>;
  /** One READ COMMITTED transaction; run again (three times at most) after a deadlock or serialization failure. */
  transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** One REPEATABLE READ, READ ONLY snapshot. */
  readTransaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * The few look-ups that find out which team is meant: a credential by its hash, an account by its e-mail. Nothing else:
   * what knows its team says so.
   */
  beforeTeam: UnguardedSql;
  /** The jobs that serve all teams at once: retention, the claim of deliveries. Never on behalf of a caller. */
  acrossTeams: UnguardedSql;
  /** Resolves when PostgreSQL answers. */
  ping(): Promise<void>;
  /** Opens the connections, and compiles what the first query would wait for. Resolves also where PostgreSQL is away. */
  warmUp(): Promise<void>;
  /** Has `run` done before the connections close: the last writes of what writes now and then. */
  beforeClose(run: () => Promise<void>): void;
  /** Waits for what runs, then closes every connection. */
  close(): Promise<void>;
};

/** How to connect; only `url` is required. */
export type ConnectOptions = PoolOptions;

/** Opens the pool; the first connection is made by the first query. */
export function connect(options: ConnectOptions): Database {
  const pool = new ConnectionPool(options);
  const preparing: { name?: (text: string) => string | undefined } = {};
  const adapter = new PrismaPg(pool, { statementNameGenerator: (query) => preparing.name?.(query.sql) ?? "" });
  const plain = new PrismaClient({ adapter, errorFormat: "minimal" });
  const tenancy = tenancyOf(plain);
  const statements = statementCache(tenancy.tables);
  preparing.name = statements.name;
  const client = guarded(plain, tenantGuard(tenancy));
  const host = { client, pool, statements };

  const query = async (statement: Sql): Promise<QueryResult> => {
    try {
      const connection = await pool.connect();
      try {
        return await connection.query(queryOf(statement, statements));
      } finally {
        connection.release();
      }
    } catch (error) {
      throw translated(error);
    }
  };
  const guardedQuery = (statement: Sql): Promise<QueryResult> => {
    statements.guard(statement.text);
    return query(statement);
  };
  const ping = async (): Promise<void> => {
    await query(sql`SELECT 1`);
  };
  const unguarded = doors(query);
  const lastWrites: (() => Promise<void>)[] = [];

  return {
    client,
    ...doors(guardedQuery),
    transaction: (run, transactionOptions) => transaction(host, run, transactionOptions),
    readTransaction: (run, transactionOptions) => readTransaction(host, run, transactionOptions),
    beforeTeam: unguarded,
    acrossTeams: unguarded,
    ping,
    warmUp: async () => {
      const connections = Array.from({ length: options.poolMax ?? poolDefaults.poolMax }, ping);
      await Promise.allSettled([
        ...connections,
        client.team.findFirst({ where: { id: newId() }, select: { id: true } }),
      ]);
    },
    beforeClose: (run) => {
      lastWrites.push(run);
    },
    close: async () => {
      await Promise.allSettled(lastWrites.map((run) => run()));
      await client.$disconnect();
      await pool.end();
    },
  };
}

function doors(query: (statement: Sql) => Promise<QueryResult>): UnguardedSql {
  return {
    rows: async (statement) => (await query(statement)).rows,
    execute: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}
