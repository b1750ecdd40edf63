import { resolve } from "node:path";
import { freePort } from "@kb/db/testing";
import { type ServerProcess, startServer } from "./processes.ts";

/** Starts an app from its source in its own process, with a rate limit that no benchmark reaches. */
export async function startApp(
  app: "api" | "mcp" | "worker",
  databaseUrl: string,
  redisUrl?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const script = resolve(import.meta.dirname, `../../../apps/${app}/src/main.ts`);
  return startServer(script, [], port, {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    APP_URL: `http://localhost:${port}`,
    APP_SECRET: "a secret that only the benchmarks use, never a service",
    RATE_LIMIT_PER_MINUTE: "1000000",
    LOG_LEVEL: "info",
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...more,
  });
}

/** Starts the REST API. */
export const startApi = (databaseUrl: string): Promise<ServerProcess> => startApp("api", databaseUrl);
