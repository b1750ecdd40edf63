import type { Telemetry } from "@kb/telemetry";
import type pg from "pg";
import { textOf } from "./statement-name.ts";

/** How a pool reaches PostgreSQL and how long it waits; every time in milliseconds. */
export type PoolOptions = {
  url: string;
  /** Connections at most. Default 10. */
  poolMax?: number;
  /** What `pg_stat_activity` shows. Default `kb`. */
  applicationName?: string;
  /** For a new connection, and for a free one when all are taken. Default 3,000. */
  connectTimeoutMs?: number;
  /** PostgreSQL cancels a statement after this. Default 10,000. */
  statementTimeoutMs?: number;
  /** PostgreSQL ends a session that sits in a transaction without a statement for this long. Default 15,000. */
  idleInTransactionTimeoutMs?: number;
  /** Told the text and the values of every statement that goes to PostgreSQL, transaction control included. */
  onQuery?: (text: string, values: readonly unknown[]) => void;
  /** Where waits and statements are told. Default nowhere. */
  telemetry?: Telemetry;
};

/** The explicit defaults of every pool. */
export const poolDefaults = {
  poolMax: 10,
  applicationName: "kb",
  connectTimeoutMs: 3_000,
  statementTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 15_000,
};

/** The driver's configuration for these options. */
export function poolConfig(options: PoolOptions): pg.PoolConfig {
  const settings = { ...poolDefaults, ...defined(options) };
  return {
    ...inUtc(settings.url),
    max: settings.poolMax,
    application_name: settings.applicationName,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    statement_timeout: settings.statementTimeoutMs,
    idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  };
}

const utc = "-c TimeZone=UTC";

/**
 * Prisma writes moments without their zone and reads them past it, which is right where the session is in UTC alone; a
 * server's own default is often that of its town. What the address asks for in `options` stays, and stands in the address:
 * that goes before what stands beside it.
 */
function inUtc(url: string): pg.PoolConfig {
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

/** Calls `onStart` with each statement as its connection takes it. */
export function observeStatements(client: pg.ClientBase, onStart: NonNullable<PoolOptions["onQuery"]>): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args: unknown[]) {
      onStart(textOf(args[0]), valuesOf(args));
      return Reflect.apply(query, self, args);
    },
  });
}

function valuesOf([config, values]: unknown[]): readonly unknown[] {
  const given = typeof config === "object" && config !== null ? Reflect.get(config, "values") : values;
  return Array.isArray(given) ? given : [];
}
