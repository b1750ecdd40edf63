import type { Service } from "@kb/core";
import { connect } from "@kb/db";
import { MetricsPortError, openTelemetry, type TelemetrySettings } from "@kb/telemetry";
import type { Redis } from "ioredis";
import { EnvironmentError } from "./env.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { createLogger, type Logger } from "./log.ts";
import { type ClientIp, clientIp } from "./rate-limit/client-ip.ts";
import type { Limiter } from "./rate-limit/limiter.ts";
import { openLimits } from "./rate-limit/open.ts";
import { type Fetch, type Running, serve } from "./server.ts";
import { endOnSignals, stopOnSignals } from "./signals.ts";

/** What the start reads of a process's environment; its `env.ts` names it with all that is the app's own. */
export type ProcessEnvironment = TelemetrySettings & {
  readonly DATABASE_URL: string;
  readonly APP_URL: string;
  readonly HOST: string;
  /** Undefined where the process serves nothing. */
  readonly PORT?: number | undefined;
  readonly LOG_LEVEL: string;
  readonly REDIS_URL?: string | undefined;
  readonly TRUSTED_PROXIES?: readonly string[];
  readonly UNREADY_MS?: number;
};

/** What every app stands on. */
export type Ground<Environment> = {
  readonly env: Environment;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly service: Pick<Service, "database" | "clock" | "appUrl" | "telemetry">;
  readonly clientIp: ClientIp;
  readonly limiter: Limiter;
  /** Undefined where the app runs without Redis. */
  readonly redis: Redis | undefined;
};

/** An app, ready to be served. */
export type Served = {
  readonly fetch: Fetch;
  /** Begins what works beside the server: once that listens, and ended together with it. */
  readonly work?: () => { close(): Promise<void> };
  /** After the last request. */
  readonly close?: () => void;
};

/** A process of one app. */
export type App<Environment extends ProcessEnvironment> = {
  /** `api`: in each line of the log, and to PostgreSQL. */
  readonly name: string;
  /** @throws {EnvironmentError} that names every problem. */
  readonly environment: () => Environment;
  /** The release, for what is told of the process. */
  readonly version: string;
  readonly open: (ground: Ground<Environment>) => Served;
  /** What the log says when it serves. */
  readonly ready: (env: Environment) => string;
};

/**
 * Runs an app as a process of its own, until a signal stops it: the environment first, all of its problems at once, then
 * what the app stands on, then the port. The end takes them in the opposite order.
 */
export function runProcess<Environment extends ProcessEnvironment>(app: App<Environment>): void {
  start(app).catch((error: unknown) => {
    console.error(error instanceof EnvironmentError || error instanceof MetricsPortError ? error.message : error);
    process.exit(1);
  });
}

async function start<Environment extends ProcessEnvironment>(app: App<Environment>): Promise<void> {
  const startedUp = endOnSignals();
  const env = app.environment();
  const logger = createLogger({ app: app.name, level: env.LOG_LEVEL });
  const lifecycle = createLifecycle();
  const service = `kb-${app.name}`;
  const telemetry = await openTelemetry(env, { service, version: app.version, logger });
  const database = connect({ url: env.DATABASE_URL, applicationName: service, telemetry });
  const limits = openLimits(env.REDIS_URL, logger, telemetry);
  const common = { database, clock: { now: () => new Date() }, appUrl: env.APP_URL, telemetry };
  const client = clientIp(env.TRUSTED_PROXIES ?? []);
  const served = app.open({ env, logger, lifecycle, service: common, clientIp: client, ...limits });
  // Before the port is open: an instance that joins others under load gets its whole share at once.
  await database.warmUp();
  const running = await listen(env, served.fetch, lifecycle);
  const work = served.work?.();
  startedUp();
  stopOnSignals(async () => {
    await Promise.all([work?.close(), running?.close()]);
    served.close?.();
    limits.redis?.disconnect();
    await telemetry.close();
    await database.close();
    logger.info("stopped");
  });
  logger.info(running === undefined ? {} : { port: running.port }, app.ready(env));
}

async function listen(env: ProcessEnvironment, fetch: Fetch, lifecycle: Lifecycle): Promise<Running | undefined> {
  const { HOST: hostname, PORT: port, UNREADY_MS: unreadyMs = 0 } = env;
  return port === undefined ? undefined : serve({ fetch, hostname, port, lifecycle, unreadyMs });
}
