import { setTimeout as pause } from "node:timers/promises";
import { connect, type ReplicaReport, type ReplicaState } from "@kb/db";
import type { Settings } from "../env.ts";
import { causeOf, type Finding, ok, warn } from "./finding.ts";

/** Longer than the time between two checks: only the second one tells whether a replica is behind. */
const twoChecksMs = 1_300;
/** A replica that is further behind is read for few teams. */
const shortLagMs = 500;

const advice: Readonly<Record<Exclude<ReplicaState, "ok">, string>> = {
  unchecked: "was not checked, because DATABASE_URL does not respond",
  unproven:
    "has not shown yet that it follows DATABASE_URL: wait until it has caught up, and after a failover for its next restart point (checkpoint_timeout)",
  lagging: "is more than 30 s behind: look for a paused replay, a broken replication or a slow disk",
  down: "does not respond, or refuses the log-in: start it, or correct or remove its address in DATABASE_REPLICA_URL",
  not_in_recovery:
    "is no replica, or was promoted: if it took over, name it in DATABASE_URL; remove it from DATABASE_REPLICA_URL",
  another_database:
    "is a replica of another server, or leads to another database than DATABASE_URL: correct DATABASE_REPLICA_URL",
  diverged:
    "has changes that the server of DATABASE_URL lost in a failover, or follows one that was promoted beside it: copy it again (pg_basebackup), or name the promoted server in DATABASE_URL",
};

/** Checks the read replicas. One that is not used is a warning, because everything is then read from `DATABASE_URL`. */
export async function replicaFindings(settings: Settings): Promise<Finding[]> {
  const { databaseUrl: url, databaseDirectUrl: directUrl, databaseReplicaUrls: replicaUrls } = settings;
  if (url === undefined || replicaUrls.length === 0) return [];
  const database = connect({ url, directUrl, replicaUrls, poolMax: 1, applicationName: "kb doctor" });
  try {
    await database.warmUp();
    await pause(twoChecksMs);
    return database.replicas().map(findingOf);
  } finally {
    await database.close();
  }
}

function findingOf({ host, state, lagMs, problem }: ReplicaReport): Finding {
  const seconds = (lagMs / 1_000).toFixed(1);
  if (state !== "ok") {
    const lag = lagMs > shortLagMs ? ` (${seconds} s behind)` : "";
    const cause = problem === undefined ? "" : ` (${causeOf(problem)})`;
    return warn("replica", `${host} ${advice[state]}${lag}${cause}. Until then it is not read.`);
  }
  if (lagMs <= shortLagMs) return ok("replica", `${host} follows`);
  return warn("replica", `${host} is ${seconds} s behind: it is read only for teams without newer changes.`);
}
