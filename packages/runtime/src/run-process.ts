import type { RequestListener } from "node:http";
import { connect, type Database } from "@kb/db";
import { MetricsPortError, openTelemetry, type Telemetry, type TelemetrySettings } from "@kb/telemetry";
import { keepMemoryLow } from "./keep-memory-low.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { createLogger, type Logger } from "./logger.ts";
import { EnvironmentError } from "./read-environment.ts";
import { requireSameDatabase } from "./require-same-database.ts";
import { exitOnSignals, stopOnSignals } from "./signals.ts";
import { type RunningServer, startServer } from "./start-server.ts";

/** The variables that every process reads; see `variables.ts`. */
export type ProcessEnvironment = TelemetrySettings & {
  readonly DATABASE_URL: string;
  /** The server itself, if DATABASE_URL is a pooler in transaction mode. */
  readonly DATABASE_DIRECT_URL?: string | undefined;
  /** Read replicas. Absent in a process that reads none. */
  readonly DATABASE_REPLICA_URL?: readonly string[];
  readonly APP_URL: string;
  readonly HOST: string;
  /** Undefined for a process that does not listen. */
  readonly PORT?: number | undefined;
  readonly LOG_LEVEL: string;
  readonly UNREADY_MS?: number;
};

/** The parts of a process that every app uses. */
export type ProcessContext<Environment> = {
  readonly env: Environment;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly service: {
    readonly database: Database;
    readonly clock: { now(): Date };
    readonly appUrl: string;
    readonly telemetry: Telemetry;
  };
};

/** An app that is ready to serve. */
export type OpenedProcess = {
  readonly listener: RequestListener;
  /** Starts background work once the server listens. The work ends together with the server. */
  readonly work?: () => { close(): Promise<void> };
  /** Called after the last request. */
  readonly close?: () => void;
};

/** One app as a process of its own. */
export type ProcessDefinition<Environment extends ProcessEnvironment> = {
  /** The name in each log line and in PostgreSQL, such as `api`. */
  readonly name: string;
  /** @throws {EnvironmentError} that names every problem. */
  readonly environment: () => Environment;
  /** The release, for telemetry. */
  readonly version: string;
  readonly open: (context: ProcessContext<Environment>) => OpenedProcess | Promise<OpenedProcess>;
  /** The message that is logged once the app serves. */
  readonly ready: (env: Environment) => string;
};

/**
 * Runs an app until a signal stops it: reads the environment and reports all of its problems at once, opens the log,
 * telemetry and the database, then listens. The shutdown goes in reverse order.
 */
export function runProcess<Environment extends ProcessEnvironment>(definition: ProcessDefinition<Environment>): void {
  start(definition).catch((error: unknown) => {
    console.error(error instanceof EnvironmentError || error instanceof MetricsPortError ? error.message : error);
    process.exit(1);
  });
}

async function start<Environment extends ProcessEnvironment>(
  definition: ProcessDefinition<Environment>,
): Promise<void> {
  const removeExit = exitOnSignals();
  const env = definition.environment();
  await requireSameDatabase(env.DATABASE_URL, env.DATABASE_DIRECT_URL);
  const logger = createLogger({ app: definition.name, level: env.LOG_LEVEL });
  const lifecycle = createLifecycle();
  const name = `kb-${definition.name}`;
  const telemetry = await openTelemetry(env, { service: name, version: definition.version, logger });
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_REPLICA_URL: replicaUrls } = env;
  const database = connect({ url, directUrl, replicaUrls, applicationName: name, telemetry });
  const service = { database, clock: { now: () => new Date() }, appUrl: env.APP_URL, telemetry };
  const opened = await definition.open({ env, logger, lifecycle, service });
  // Warms up before the port is open: an instance that joins others under load gets its whole share at once.
  await database.warmUp();
  const running = await listen(env, opened.listener, lifecycle);
  const work = opened.work?.();
  const stopKeeping = keepMemoryLow();
  removeExit();
  stopOnSignals(async () => {
    stopKeeping();
    await Promise.all([work?.close(), running?.close()]);
    opened.close?.();
    await telemetry.close();
    await database.close();
    logger.info("stopped");
  });
  logger.info(running === undefined ? {} : { port: running.port }, definition.ready(env));
}

async function listen(
  env: ProcessEnvironment,
  listener: RequestListener,
  lifecycle: Lifecycle,
): Promise<RunningServer | undefined> {
  const { HOST: hostname, PORT: port, UNREADY_MS: unreadyMs = 0 } = env;
  return port === undefined ? undefined : startServer({ listener, hostname, port, lifecycle, unreadyMs });
}
