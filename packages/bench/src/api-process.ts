import { resolve } from "node:path";
import { freePort, type ServerProcess, startServer } from "./processes.ts";

/** Starts the API over a database, in a process of its own, with a rate that no bench reaches. */
export async function startApi(url: string): Promise<ServerProcess> {
  const port = await freePort();
  const script = resolve(import.meta.dirname, "../../../apps/api/src/main.ts");
  return startServer(script, [], port, {
    PORT: String(port),
    DATABASE_URL: url,
    APP_URL: `http://localhost:${port}`,
    APP_SECRET: "a secret for the bench alone, and for nothing else",
    RATE_LIMIT_PER_MINUTE: "1000000",
    LOG_LEVEL: "info",
  });
}
