import type { Database } from "@kb/db";
import type { Redis } from "ioredis";
import type { EdgeContext } from "./edge.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** A dependency that takes longer than this does not serve. */
const checkTimeoutMs = 2_000;

/** What the health check looks at. */
export type HealthOptions = {
  readonly database: Pick<Database, "ping">;
  /** Absent where the service runs without Redis. */
  readonly redis?: Pick<Redis, "ping"> | undefined;
  readonly lifecycle: Pick<Lifecycle, "stopping">;
  readonly version: string;
  readonly timeoutMs?: number;
};

/**
 * `GET /api/health`: 200 while the service can do its work, 503 `degraded` while a dependency is down or the process
 * stops. `?live=1` says only that the process answers; `?ready=1` whether it wants requests: a proxy that asked for the
 * dependencies too would take every instance away at once where Redis, which REST can do without, is down.
 */
export function health(options: HealthOptions) {
  const { database, redis, lifecycle, version, timeoutMs = checkTimeoutMs } = options;
  return async (context: EdgeContext): Promise<Response> => {
    context.set("route", "/api/health");
    context.header("Cache-Control", "no-store");
    if (context.req.query("live") === "1") return context.json({ status: "ok", version });
    if (context.req.query("ready") === "1") {
      return lifecycle.stopping ? degraded(context, { version }) : context.json({ status: "ok", version });
    }
    const [databaseAnswers, redisAnswers] = await Promise.all([
      answers(() => database.ping(), timeoutMs),
      redis === undefined ? undefined : answers(() => redis.ping(), timeoutMs),
    ]);
    const checks = {
      database: databaseAnswers ? "ok" : "down",
      redis: redisAnswers === undefined ? "off" : redisAnswers ? "ok" : "down",
    };
    const healthy = databaseAnswers && redisAnswers !== false && !lifecycle.stopping;
    return healthy ? context.json({ status: "ok", version, checks }) : degraded(context, { version, checks });
  };
}

function degraded(context: EdgeContext, facts: object): Response {
  return context.json({ status: "degraded", ...facts }, 503, { "Retry-After": "2" });
}

async function answers(ping: () => Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, timeoutMs, false);
  try {
    return await Promise.race([ping().then(() => true), timeUp]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
