export { type Loading, loadDatabase, NotEmptyError } from "./backup/load.ts";
export { isBackupRunning, whileBackingUp } from "./backup/lock.ts";
export { type Snapshot, withSnapshot } from "./backup/snapshot.ts";
export { type ClockRow, readStamp, type Stamp, stampChange, stampMoment, takeMomentIf, takeStamp } from "./clock.ts";
export { type Cluster, type ClusterOptions, describeCluster, startCluster } from "./cluster/cluster.ts";
export { DataDirInUseError, dataDirHolder, lockDataDir } from "./cluster/data-dir-lock.ts";
export { keepClusterRunning } from "./cluster/keep-running.ts";
export { makeFolder, tryFolder } from "./cluster/make-folder.ts";
export { endWithThisProcess, startThrowAwayCluster } from "./cluster/throw-away.ts";
export { type ConnectOptions, connect, type Database, type UnguardedSql } from "./database.ts";
export { isDiskFull } from "./disk-space.ts";
export {
  DatabaseUnavailableError,
  isForeignKeyViolation,
  isLockTimeout,
  isPermissionDenied,
  isUniqueViolation,
} from "./errors.ts";
export type * from "./generated/client.ts";
export { AccessLevel } from "./generated/enums.ts";
export { isUuid, newId } from "./ids.ts";
export { LastStatement, lastStatement, type Unlocking } from "./last-statement.ts";
export { type AppliedMigration, MigrationError, type MigrationStatus } from "./migration-status.ts";
export {
  databaseExists,
  databaseNameOf,
  type MigrateOptions,
  migrate,
  migrationStatus,
  textFacts,
} from "./migrations.ts";
export type { Models } from "./models.ts";
export type { FirstLookUp } from "./open-transaction.ts";
export { isOutOfConnections, isSameDatabase, type Pooling, readPooling } from "./pooling.ts";
export type { JoinedLookUp } from "./reader.ts";
export type { ReplicaState } from "./replica/replay.ts";
export type { ReplicaReport } from "./replica/replica.ts";
export { schemaDrift } from "./schema-drift.ts";
export { isTooOld, oldestPostgres, type TextFacts } from "./server-facts.ts";
export { type SessionLockOptions, withSessionLock } from "./session-lock.ts";
export {
  empty,
  join,
  type Reader,
  type RowsOf,
  raw,
  type Sql,
  type Statement,
  type StatementsFor,
  sql,
  withGenericPlan,
  withMoreMemory,
} from "./sql.ts";
export { TenantGuardError } from "./tenant-guard.ts";
export type { TransactionOptions, Tx } from "./transaction.ts";
