import { type Reader, sql } from "../sql.ts";

/** The identity of a database and its position in the write-ahead log, in bytes. */
type Facts = {
  /** The number that initdb gave the server; its physical copies have it, too. */
  readonly system: string;
  readonly database: number;
  readonly position: number;
};

/** The facts of the server that is written to. */
export type PrimaryFacts = Facts;

/** The facts of a replica. */
export type ReplicaFacts = Omit<Facts, "position"> & {
  readonly inRecovery: boolean;
  /** When its server started, in seconds. */
  readonly startedAt: number;
  /** The position up to which it has replayed; null where the server does not tell, as with storage that the servers share. */
  readonly position: number | null;
};

const identity = sql`(SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT oid::int8 FROM pg_database WHERE datname = current_database()) AS database`;

/** Reads the facts of the server that is written to. Replicas receive only what is on its disk. */
export async function readPrimaryFacts(primary: Pick<Reader, "rows">): Promise<PrimaryFacts> {
  return only(
    await primary.rows<PrimaryFacts>(
      sql`SELECT ${identity}, (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::int8 AS position`,
    ),
  );
}

/** Reads the facts of a replica. */
export async function readReplicaFacts(replica: Pick<Reader, "rows">): Promise<ReplicaFacts> {
  return only(
    await replica.rows<ReplicaFacts>(
      sql`SELECT ${identity}, pg_is_in_recovery() AS "inRecovery",
        extract(epoch FROM pg_postmaster_start_time())::float8 AS "startedAt",
        (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 AS position`,
    ),
  );
}

function only<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error("the server did not describe itself");
  return row;
}
