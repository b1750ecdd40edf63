import { createApi } from "@kb/api";
import type { Service } from "@kb/core";
import { type Credential, createWorld, type Person, type World } from "@kb/core/testing";
import type { ConnectOptions, Database } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import { clientIp } from "@kb/http";
import { type ApiClient, api } from "@kb/http/testing";
import {
  type connectRedis,
  createLifecycle,
  createLogger,
  type Lifecycle,
  type Limiter,
  type Logger,
  processLimiter,
} from "@kb/runtime";

export { unknownId } from "@kb/core/testing";

/** A world behind the real app, on a database of its own. */
export type Setting = {
  readonly world: World;
  readonly database: Database;
  readonly app: ReturnType<typeof createApi>;
  /** The API as somebody with their everyday key sees it, or as any key does; null is nobody. */
  as(who: Person | Credential): ApiClient;
  /** Waits for what runs, and drops the database. */
  close(): Promise<void>;
};

export type SettingOptions = {
  readonly clock?: Service["clock"];
  readonly limiter?: Limiter;
  readonly perMinute?: number;
  readonly sessionPerMinute?: number;
  readonly pagesPerMinute?: number;
  readonly budget?: { readonly cpuMs: number; readonly bytes: number };
  readonly connect?: Partial<ConnectOptions>;
  readonly logger?: Logger;
  readonly lifecycle?: Lifecycle;
  readonly trustedProxies?: readonly string[];
  readonly redis?: Awaited<ReturnType<typeof connectRedis>>;
};

/** Opens a setting for a test file. The rate is unlimited unless `perMinute` says so. */
export async function openSetting(options: SettingOptions = {}): Promise<Setting> {
  const { database, drop } = await testDatabase(options.connect);
  return { ...(await serveWorld(database, options)), close: drop };
}

/** The same on a database that the test opened itself. */
export async function serveWorld(
  database: Database,
  options: Omit<SettingOptions, "connect"> = {},
): Promise<Omit<Setting, "close">> {
  const { clock = { now: () => new Date() } } = options;
  const world = await createWorld(database, { clock });
  const app = appOf(world.service, options);
  const as = (who: Person | Credential): ApiClient =>
    api(app, who !== null && typeof who === "object" && "key" in who ? who.key : who);
  return { world, database, app, as };
}

/** An instance of the app over a service. */
export function appOf(service: Service, options: Omit<SettingOptions, "connect" | "clock"> = {}): Setting["app"] {
  const {
    limiter = processLimiter(),
    perMinute = 1_000_000,
    sessionPerMinute,
    pagesPerMinute,
    budget,
    redis,
  } = options;
  return createApi({
    service,
    limiter,
    perMinute,
    sessionPerMinute,
    pagesPerMinute,
    budget,
    logger: options.logger ?? createLogger({ app: "api", level: "silent" }),
    lifecycle: options.lifecycle ?? createLifecycle(),
    clientIp: clientIp(options.trustedProxies ?? []),
    ...(redis === undefined ? {} : { redis }),
    oauthKeys: service.oauth?.keys,
  });
}
