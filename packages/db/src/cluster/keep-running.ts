import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Cluster, type ClusterOptions, startCluster } from "./cluster.ts";
import { layoutOf } from "./layout.ts";
import { isAlive } from "./processes.ts";

const lookEveryMs = 250;

/**
 * Starts PostgreSQL as `startCluster` does, and again whenever it ends without having been told to (killed for its memory,
 * say). It comes back on the same port, so that its URL stays good. `onProgress` hears of it.
 */
export async function keepClusterRunning(options: ClusterOptions): Promise<Pick<Cluster, "url" | "stop">> {
  let cluster = await startCluster(options);
  let restart: Promise<void> | undefined;
  let told = "";
  const tell = (message: string): void => {
    // A start that keeps failing is told once.
    if (message !== told) options.onProgress?.(message);
    told = message;
  };
  const again = async (): Promise<void> => {
    tell("the database ended unexpectedly; starting it again");
    try {
      requireData(options.dataDir);
      cluster = await startCluster({ ...options, port: cluster.port, onProgress: () => {} });
      tell("the database serves again");
    } catch (error) {
      tell(`the database cannot be started again: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(() => {
    if (restart !== undefined || isAlive(cluster.pid)) return;
    restart = again().finally(() => {
      restart = undefined;
    });
  }, lookEveryMs);
  return {
    url: cluster.url,
    stop: async () => {
      clearInterval(timer);
      await restart;
      await cluster.stop();
    },
  };
}

/** A folder that was taken away must not come back as an empty database. */
function requireData(dataDir: string): void {
  const { pgData } = layoutOf(resolve(dataDir));
  if (!existsSync(pgData)) throw new Error(`its folder is gone: ${pgData}`);
}
