import { createWorld, type Person, type World } from "@kb/core/testing";
import { testDatabase } from "@kb/db/testing";
import { type BudgetOptions, clientIp, type Fetch } from "@kb/http";
import { createLifecycle, createLogger, processLimiter } from "@kb/runtime";
import { createWeb, ensureBuilt } from "@kb/web";

/** The pages of a world, called without a socket. */
export type Setting = {
  readonly world: World;
  readonly fetch: Fetch;
  /** Requests a page as a browser does; as a person who is logged in, or as nobody. */
  get(path: string, person: Person | null, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
};

/** Builds the app if it is out of date, and opens its pages on a new world. */
export async function openSetting(
  options: { appUrl?: string; pagesPerMinute?: number; budget?: BudgetOptions["budget"] } = {},
): Promise<Setting> {
  const { appUrl = "http://localhost:3000", pagesPerMinute, budget } = options;
  const failures: string[] = [];
  await ensureBuilt((line) => failures.push(line));
  const unbuilt = failures.find((line) => line.includes("could not"));
  if (unbuilt !== undefined) throw new Error(unbuilt);
  const { database, drop } = await testDatabase();
  const world = await createWorld(database, { appUrl });
  const app = createWeb({
    service: world.service,
    logger: createLogger({ app: "web", level: "silent" }),
    lifecycle: createLifecycle(),
    clientIp: clientIp([]),
    limiter: processLimiter(),
    pagesPerMinute,
    budget,
  });
  return {
    world,
    fetch: app.fetch,
    async get(path, person, headers = {}) {
      const cookie = person === null ? {} : { Cookie: (await world.session(person)).cookie };
      return app.request(path, { headers: { Accept: "text/html", ...cookie, ...headers } });
    },
    close: drop,
  };
}
