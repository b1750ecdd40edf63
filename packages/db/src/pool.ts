import type { Telemetry } from "@kb/telemetry";
import type pg from "pg";
import { RoundTrip } from "./round-trip.ts";
import { textOf } from "./statement-name.ts";

/** Options of a connection pool; times in milliseconds. */
export type PoolOptions = {
  url: string;
  /**
   * The address of the server itself if `url` is that of a pooler that lends its connections for one transaction at a time, such as
   * PgBouncer in transaction mode. Statements are then not prepared, and the listener connects here.
   */
  directUrl?: string | undefined;
  /** Maximum number of connections. Default 10. */
  poolMax?: number;
  /** The name in `pg_stat_activity`. Default `kb`. */
  applicationName?: string;
  /** Timeout for a new connection, and for a free one if all are in use. Default 3,000. */
  connectTimeoutMs?: number;
  /** Time after which PostgreSQL cancels a statement. Default 10,000. */
  statementTimeoutMs?: number;
  /** Time after which PostgreSQL ends a session that is idle in a transaction. Default 15,000. */
  idleInTransactionTimeoutMs?: number;
  /**
   * Receives the text and the values of every statement, including transaction control; `beginsTrip` is false for one that is
   * sent in the same round trip as the one before it.
   */
  onQuery?: (text: string, values: readonly unknown[], beginsTrip: boolean) => void;
  /** Records waits and statements. Default: none. */
  telemetry?: Telemetry;
};

/** The defaults of every pool. */
export const poolDefaults = {
  poolMax: 10,
  applicationName: "kb",
  connectTimeoutMs: 3_000,
  statementTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 15_000,
};

/** Returns the connections that only work in `withReservedConnections` uses: a fifth of the pool, at most 2. */
export function reservedOf({ poolMax = poolDefaults.poolMax }: PoolOptions): number {
  return Math.min(2, Math.floor(poolMax / 5));
}

/** Returns the driver's configuration for these options, with `max` connections. */
export function poolConfig(options: PoolOptions, max?: number): pg.PoolConfig {
  const settings = { ...poolDefaults, ...defined(options) };
  return {
    ...(settings.directUrl === undefined ? sessionConfig(settings) : pooledConfig(settings)),
    max: max ?? settings.poolMax,
    application_name: settings.applicationName,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  };
}

/** Returns the configuration of a connection whose session belongs to this process. */
function sessionConfig(settings: PoolOptions & typeof poolDefaults): pg.PoolConfig {
  return {
    ...connectInUtc(settings.url),
    statement_timeout: settings.statementTimeoutMs,
    idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
  };
}

/**
 * Returns the configuration of a connection to a pooler. Poolers refuse other parameters at the start of a connection, and a timeout
 * that was set later would stay in a session of others: the pooler sets the timeouts. It remembers the time zone of each client.
 */
function pooledConfig({ url, connectTimeoutMs }: PoolOptions & typeof poolDefaults): pg.PoolConfig {
  // The pool waits for it, after its own timeout: a pooler accepts a client before it has a connection to lend.
  const query = { text: "SET TimeZone = 'UTC'", query_timeout: connectTimeoutMs };
  return { connectionString: url, onConnect: (client) => client.query(query).then(() => {}) };
}

const utc = "-c TimeZone=UTC";

/**
 * Sets the session to UTC. Prisma ignores time zones when it reads and writes times, which is correct only in UTC, and
 * servers often default to local time. `options` of the URL are kept and extended, because they override separate ones.
 */
function connectInUtc(url: string): pg.PoolConfig {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const given = address?.searchParams.get("options");
  if (address === undefined || !given) return { connectionString: url, options: utc };
  address.searchParams.set("options", `${given} ${utc}`);
  return { connectionString: address.href };
}

function defined(options: PoolOptions): PoolOptions {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...options, ...Object.fromEntries(entries) };
}

/** Calls `onStart` with each statement before it is sent. */
export function observeStatements(client: pg.ClientBase, onStart: NonNullable<PoolOptions["onQuery"]>): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args: unknown[]) {
      const [sent] = args;
      if (sent instanceof RoundTrip) {
        for (const [index, { text, values }] of sent.statements.entries()) onStart(text, values, index === 0);
      } else {
        onStart(textOf(sent), valuesOf(args), true);
      }
      return Reflect.apply(query, self, args);
    },
  });
}

function valuesOf([config, values]: unknown[]): readonly unknown[] {
  const given = typeof config === "object" && config !== null ? Reflect.get(config, "values") : values;
  return Array.isArray(given) ? given : [];
}
