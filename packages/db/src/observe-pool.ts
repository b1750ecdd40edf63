import type { Observation, Telemetry } from "@kb/telemetry";
import type pg from "pg";

/** Reports the size of a pool and its waiting requests as gauges; returns a stop function. */
export function observePool(telemetry: Telemetry, name: string, pools: readonly pg.Pool[]): () => void {
  const ofPool = { "db.client.connection.pool.name": name };
  return telemetry.observe(
    ["db.client.connection.count", "db.client.connection.max", "db.client.connection.pending_requests"],
    () => {
      const sum = (of: (pool: pg.Pool) => number): number => pools.reduce((total, pool) => total + of(pool), 0);
      const idle = sum(({ idleCount }) => idleCount);
      const count = (state: string, value: number): Observation => ({
        name: "db.client.connection.count",
        value,
        labels: { ...ofPool, "db.client.connection.state": state },
      });
      return [
        count("idle", idle),
        count("used", sum(({ totalCount }) => totalCount) - idle),
        { name: "db.client.connection.max", value: sum(({ options }) => options.max), labels: ofPool },
        {
          name: "db.client.connection.pending_requests",
          value: sum(({ waitingCount }) => waitingCount),
          labels: ofPool,
        },
      ];
    },
  );
}
