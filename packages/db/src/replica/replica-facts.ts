import { type Reader, sql } from "../sql.ts";

/** The identity of a server and of its database, and its position in the write-ahead log, in bytes. */
type Facts = {
  /** The number that initdb gave the server; its physical copies have it, too. */
  readonly system: string;
  readonly database: number;
  /** When the server started, in seconds. */
  readonly startedAt: number;
  /** The history on which it is: each promotion and each restore to a time begins a new one. */
  readonly timeline: number;
  readonly position: number;
};

/** The facts of the server that is written to. */
export type PrimaryFacts = Facts;

/** The facts of a replica. */
export type ReplicaFacts = Omit<Facts, "position"> & {
  readonly inRecovery: boolean;
  /** The position up to which it has replayed; null where the server does not tell, as with storage that the servers share. */
  readonly position: number | null;
  /** The time since the last transaction that it has replayed; null if it has replayed none since its start. */
  readonly quietMs: number | null;
};

/** Tells one run of a server from all others. */
export const serverStart = sql`extract(epoch FROM pg_postmaster_start_time())::float8 AS "startedAt"`;

const identity = sql`(SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database, ${serverStart}`;

/** Reads the facts of the server that is written to. Replicas receive only what is on its disk. */
export async function readPrimaryFacts(primary: Pick<Reader, "rows">): Promise<PrimaryFacts> {
  // The name of a file of the log begins with the timeline.
  return only(
    await primary.rows<PrimaryFacts>(
      sql`SELECT ${identity}, ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int8 AS timeline,
        (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::int8 AS position`,
    ),
  );
}

/** Reads the facts of a replica. Its timeline is that of its last restart point, or a later one that a role with `pg_monitor` sees. */
export async function readReplicaFacts(replica: Pick<Reader, "rows">): Promise<ReplicaFacts> {
  return only(
    await replica.rows<ReplicaFacts>(
      sql`SELECT ${identity}, pg_is_in_recovery() AS "inRecovery",
        GREATEST((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT received_tli FROM pg_stat_wal_receiver))::int8 AS timeline,
        (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 AS position,
        (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 AS "quietMs"`,
    ),
  );
}

function only<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error("the server did not describe itself");
  return row;
}
