import type { Telemetry } from "@kb/telemetry";
import type pg from "pg";

/** Has the size of a pool told, and who waits for it, whenever somebody asks. Gives what ends that. */
export function observePool(telemetry: Telemetry, name: string, pool: pg.Pool): () => void {
  const ofPool = { "db.client.connection.pool.name": name };
  return telemetry.observe(
    ["db.client.connection.count", "db.client.connection.max", "db.client.connection.pending_requests"],
    () => {
      const { totalCount, idleCount, waitingCount, options } = pool;
      const count = (state: string, value: number) => ({
        ...({ name: "db.client.connection.count", value } as const),
        labels: { ...ofPool, "db.client.connection.state": state },
      });
      return [
        count("idle", idleCount),
        count("used", totalCount - idleCount),
        { name: "db.client.connection.max", value: options.max, labels: ofPool },
        { name: "db.client.connection.pending_requests", value: waitingCount, labels: ofPool },
      ];
    },
  );
}
