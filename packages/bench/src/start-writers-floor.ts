import { resolve } from "node:path";
import { freePort } from "@kb/db/testing";
import { type ServerProcess, startServer } from "./processes.ts";

/** Starts the floor of what writes: a bare handler that inserts one row with the bytes of each request, and returns them. */
export async function startWritersFloor(databaseUrl: string): Promise<ServerProcess> {
  const port = await freePort();
  return startServer(resolve(import.meta.dirname, "writers-floor.ts"), [databaseUrl, String(port)], port);
}
