import type { Database } from "@kb/db";
import type { Redis } from "ioredis";
import type { Lifecycle } from "./lifecycle.ts";

/** A dependency that takes longer than this to answer counts as down. */
const checkTimeoutMs = 2_000;

/** A full store is not written to for this long after a probe: anybody may ask for the health. */
const probePauseMs = 3_000;

/** The dependencies and the state that a health check reports. */
export type HealthOptions = {
  readonly database: Pick<Database, "ping"> & Partial<SpaceWatch & Pick<Database, "replicas">>;
  /** The store of attachments; undefined where the process has none. */
  readonly files?: { readonly store: Partial<SpaceWatch & StoreWatch> } | undefined;
  /** Undefined where the service runs without Redis. */
  readonly redis?: Pick<Redis, "ping"> | undefined;
  readonly lifecycle: Pick<Lifecycle, "stopping">;
  readonly version: string;
  readonly timeoutMs?: number;
};

/** A store of data that knows whether its last write failed for lack of space. */
type SpaceWatch = { isOutOfSpace(): boolean; probeSpace(): Promise<void> };

/** A store in another service, such as a bucket: whether it could be read when it was last checked. */
type StoreWatch = { isWorking(): Promise<boolean> };

/**
 * `live` tells only that the process answers. `ready` tells whether it wants requests, whatever the state of its
 * dependencies: otherwise a proxy would remove every instance at once when Redis, which REST can do without, is down.
 * `dependencies` checks them all.
 */
type HealthCheck = "live" | "ready" | "dependencies";

/** The answer to a health check: 200 `ok` or 503 `degraded`; 400 for a query that asks for none. */
type HealthReport = {
  readonly status: 200 | 400 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
};

const parameters: readonly string[] = ["live", "ready"] satisfies HealthCheck[];

/** Chooses the check by the query of `GET /api/health`: `?live=1`, `?ready=1`, or neither. */
function healthCheckOf(query: URLSearchParams): HealthCheck {
  if (query.get("live") === "1") return "live";
  return query.get("ready") === "1" ? "ready" : "dependencies";
}

/** Runs the health check that a query asks for. */
export async function reportHealth(options: HealthOptions, query: URLSearchParams): Promise<HealthReport> {
  const unknown = [...query.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) return unknownParameter(unknown);
  const check = healthCheckOf(query);
  const { database, files, redis, lifecycle, version, timeoutMs = checkTimeoutMs } = options;
  if (check === "live") return reportOf(true, { version });
  if (check === "ready") return reportOf(!lifecycle.stopping, { version });
  const isWorking = files?.store.isWorking;
  const [databaseAnswers, redisAnswers, filesWork] = await Promise.all([
    answers(() => database.ping().then(() => true), timeoutMs),
    redis === undefined ? undefined : answers(() => redis.ping().then(() => true), timeoutMs),
    isWorking === undefined ? true : answers(isWorking, timeoutMs),
  ]);
  const full = [database, ...(files === undefined ? [] : [files.store])].filter(
    ({ isOutOfSpace }) => isOutOfSpace?.() === true,
  );
  // A proxy may send nothing more to a process that is degraded, so the check itself finds out whether there is space again.
  for (const store of full) probe(store);
  const replicas = database.replicas?.() ?? [];
  const checks = {
    database: databaseAnswers ? "ok" : "down",
    redis: redisAnswers === undefined ? "off" : redisAnswers ? "ok" : "down",
    // Without a replica everything is read from the database, so the process stays healthy.
    ...(replicas.length === 0 ? {} : { replicas: replicas.map(({ state }) => state) }),
    ...(filesWork ? {} : { files: "down" }),
    ...(full.length === 0 ? {} : { disk: "full" }),
  };
  const healthy = databaseAnswers && redisAnswers !== false && filesWork && full.length === 0;
  return reportOf(healthy && !lifecycle.stopping, { version, checks });
}

/** The stores with a probe that runs, or has just ended. */
const probed = new WeakSet<object>();

/** Begins to write to a full store, unless another check does so, or did a moment ago. */
function probe(store: Partial<SpaceWatch>): void {
  const { probeSpace } = store;
  if (probeSpace === undefined || probed.has(store)) return;
  probed.add(store);
  const allowNext = (): void => void setTimeout(() => probed.delete(store), probePauseMs).unref();
  probeSpace().then(allowNext, allowNext);
}

function unknownParameter(name: string): HealthReport {
  const path = name.slice(0, 200);
  const message = "Unknown parameter";
  const body = { error: `${path}: ${message}`, code: "validation_error", details: [{ path, message }] };
  return { status: 400, headers: { "Cache-Control": "no-store" }, body };
}

function reportOf(healthy: boolean, facts: object): HealthReport {
  const headers = { "Cache-Control": "no-store" };
  if (healthy) return { status: 200, headers, body: { status: "ok", ...facts } };
  return { status: 503, headers: { ...headers, "Retry-After": "2" }, body: { status: "degraded", ...facts } };
}

async function answers(check: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, timeoutMs, false);
  try {
    return await Promise.race([check(), timeUp]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
