import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Cluster, type ClusterOptions, startCluster } from "./cluster.ts";
import { layoutOf } from "./layout.ts";
import { isAlive } from "./processes.ts";

const checkEveryMs = 250;

/**
 * Starts PostgreSQL as `startCluster` does, and restarts it whenever it ends unexpectedly, for example when the system kills
 * it for its memory. It keeps its port and so its URL. Reports restarts to `onProgress`.
 */
export async function keepClusterRunning(options: ClusterOptions): Promise<Pick<Cluster, "url" | "stop">> {
  let cluster = await startCluster(options);
  let restart: Promise<void> | undefined;
  let lastMessage = "";
  const report = (message: string): void => {
    // Reports a start that fails repeatedly once.
    if (message !== lastMessage) options.onProgress?.(message);
    lastMessage = message;
  };
  const startAgain = async (): Promise<void> => {
    report("the database ended unexpectedly; starting it again");
    try {
      requireData(options.dataDir);
      cluster = await startCluster({ ...options, port: cluster.port, onProgress: () => {} });
      report("the database is running again");
    } catch (error) {
      report(`cannot start the database again: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(() => {
    if (restart !== undefined || isAlive(cluster.pid)) return;
    restart = startAgain().finally(() => {
      restart = undefined;
    });
  }, checkEveryMs);
  return {
    url: cluster.url,
    stop: async () => {
      clearInterval(timer);
      await restart;
      await cluster.stop();
    },
  };
}

/** Prevents a removed folder from being replaced by an empty database. */
function requireData(dataDir: string): void {
  const { pgData } = layoutOf(resolve(dataDir));
  if (!existsSync(pgData)) throw new Error(`its folder is missing: ${pgData}`);
}
