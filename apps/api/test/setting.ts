import { createApi } from "@kb/api";
import type { Service } from "@kb/core";
import type { ConnectOptions } from "@kb/db";
import { clientIp, createLifecycle, createLogger, type Limiter, processLimiter } from "@kb/http";
import {
  type ApiClient,
  api,
  createWorld,
  type Person,
  type TestDatabase,
  testDatabase,
  type World,
} from "@kb/testing";

/** A world behind the real app, on a database of its own. */
export type Setting = {
  readonly world: World;
  readonly database: TestDatabase["database"];
  readonly app: ReturnType<typeof createApi>;
  /** The API as somebody with their everyday key sees it, or as any key does; null is nobody. */
  as(who: Person | string | null): ApiClient;
  /** Waits for what runs, and drops the database. */
  close(): Promise<void>;
};

export type SettingOptions = {
  readonly clock?: Service["clock"];
  readonly limiter?: Limiter;
  readonly perMinute?: number;
  readonly connect?: Partial<ConnectOptions>;
};

/** Opens a setting for a test file. The rate is unlimited unless `perMinute` says so. */
export async function openSetting(options: SettingOptions = {}): Promise<Setting> {
  const { clock = { now: () => new Date() }, limiter = processLimiter(), perMinute = 1_000_000 } = options;
  const { database, drop } = await testDatabase(options.connect);
  const world = await createWorld(database, { clock });
  const app = createApi({
    service: world.service,
    limiter,
    perMinute,
    logger: createLogger({ app: "api", level: "silent" }),
    lifecycle: createLifecycle(),
    clientIp: clientIp([]),
  });
  const as = (who: Person | string | null): ApiClient =>
    api(app, who === null || typeof who === "string" ? who : who.key);
  return { world, database, app, as, close: drop };
}

/** A well-formed id that nothing has. */
export const unknownId = "00000000-0000-7000-8000-000000000000";
