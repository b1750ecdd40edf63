import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { memoryFolder } from "@kb/testing/memory-folder";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { layoutOf } from "../cluster/layout.ts";
import { endWithThisProcess } from "../cluster/throw-away.ts";
import { migrate } from "../migrations.ts";
import { runStatement } from "./run-statement.ts";

/** A PostgreSQL with a migrated database, and a streaming replica of it. */
export type ReplicatedCluster = {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** Stops the replay: the replica still receives changes, but shows none. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Resolves when the replica shows everything that the primary has committed. */
  caughtUp(): Promise<void>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** Makes the replica a server of its own, for good. */
  promote(): Promise<void>;
  /** Stops both and removes their data. */
  drop(): Promise<void>;
};

// Nothing has to survive a crash of the machine. A commit is sent to the replica at once.
const settings = { fsync: "off", shared_buffers: "32MB" };

/** Starts both. The replica is a copy of the stopped primary, which takes no program that the embedded PostgreSQL lacks. */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const folder = mkdtempSync(join(memoryFolder(), "kb-replicated-"));
  const primaryDir = join(folder, "primary");
  const replicaDir = join(folder, "replica");
  const guardians = [primaryDir, replicaDir].map(endWithThisProcess);
  await createDatabase(primaryDir);
  await promisify(execFile)("cp", ["-a", primaryDir, replicaDir]);
  await rm(layoutOf(replicaDir).port, { force: true });
  writeFileSync(join(layoutOf(replicaDir).pgData, "standby.signal"), "");
  const primary = await startCluster({ dataDir: primaryDir, settings });
  const { url: primaryUrl, port } = primary;
  const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${new URL(primaryUrl).password}`;
  const openReplica = (): Promise<Cluster> =>
    startCluster({ dataDir: replicaDir, settings: { ...settings, primary_conninfo: conninfo } });
  let replica = await openReplica();
  const { url: replicaUrl } = replica;
  const onReplica = (text: string) => runStatement<{ done: boolean }>(replicaUrl, text);

  return {
    primaryUrl,
    replicaUrl,
    pauseReplay: async () => {
      await onReplica("SELECT pg_wal_replay_pause()");
      await until(async () => (await onReplica("SELECT pg_get_wal_replay_pause_state() = 'paused' AS done"))[0]?.done);
    },
    resumeReplay: async () => void (await onReplica("SELECT pg_wal_replay_resume()")),
    caughtUp: async () => {
      const [at] = await runStatement<{ position: string }>(
        primaryUrl,
        "SELECT pg_current_wal_flush_lsn() AS position",
      );
      const text = `SELECT pg_last_wal_replay_lsn() >= '${at?.position}' AS done`;
      await until(async () => (await onReplica(text))[0]?.done);
    },
    stopReplica: () => replica.stop(),
    startReplica: async () => {
      replica = await openReplica();
    },
    promote: async () => void (await onReplica("SELECT pg_promote()")),
    drop: async () => {
      await replica.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
      for (const guardian of guardians) guardian.release();
    },
  };
}

/** Creates a PostgreSQL with a migrated database, and stops it again. */
async function createDatabase(dataDir: string): Promise<void> {
  const cluster = await startCluster({ dataDir, settings });
  await migrate(cluster.url);
  await cluster.stop();
}

async function until(isDone: () => Promise<boolean | undefined>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while ((await isDone()) !== true) {
    if (performance.now() > deadline) throw new Error("the replica did not follow within 20 s");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
