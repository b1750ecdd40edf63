import { type Announcement, Announcer } from "./announcer.ts";
import { ChangesOnDisk } from "./changes-on-disk.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { DiskSpace, type SpaceWatch } from "./disk-space.ts";
import { Listener, type OnNotification } from "./listener.ts";
import { lazyModels, type Models } from "./models.ts";
import { reachDisk } from "./open-transaction.ts";
import { type PoolOptions, poolDefaults } from "./pool.ts";
import { lazyPrisma } from "./prisma.ts";
import { type JoinedLookUp, joinLookUp, type RawSql, rawSql } from "./reader.ts";
import type { ReplicaReport } from "./replica/replica.ts";
import { Replicas } from "./replica/replicas.ts";
import { withReservedConnections } from "./reserved-connections.ts";
import { sendOn } from "./send-on.ts";
import { type Reader, type Statement, sql } from "./sql.ts";
import { statementCache } from "./statements.ts";
import { tenantGuard } from "./tenant-guard.ts";
import { readTenancy } from "./tenants.ts";
import { readTransaction, type TransactionOptions, type TransactionWork, type Tx, transaction } from "./transaction.ts";

/** Raw SQL that the tenant guard does not check. */
export type UnguardedSql = RawSql;

/** The only access to PostgreSQL. Every method throws `DatabaseUnavailableError` if a retry may succeed. */
export type Database = Reader &
  SpaceWatch & {
    /** The guarded models, outside of transactions. */
    client: Models;
    /** Runs one statement outside of transactions; returns the number of affected rows. */
    execute(statement: Statement): Promise<number>;
    /**
     * Runs a READ COMMITTED transaction; repeats it at most three times after a deadlock or serialization failure. A
     * `LastStatement` that `run` returns is sent together with COMMIT.
     */
    transaction<T>(run: TransactionWork<T>, options?: TransactionOptions): Promise<T>;
    /** Runs a REPEATABLE READ, READ ONLY transaction. */
    readTransaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
    /**
     * Lookups that find the team: a credential by its hash, an account by its e-mail address. Every other statement names
     * its team.
     */
    beforeTeam: UnguardedSql;
    /** Joins such a look-up to the first round trip of a reader. */
    joinLookUp<T>(lookUp: Statement): JoinedLookUp<T>;
    /** Statements of jobs that serve all teams, such as retention and the claim of deliveries, never of a caller. */
    acrossTeams: UnguardedSql;
    /** Sends a notification soon, outside of any transaction. It is lost if the process ends before, or if the server is away. */
    announce(announcement: Announcement): void;
    /**
     * Receives the notifications of a channel until the returned function is called, by one connection beside the pool.
     * The payload is null when notifications may have been missed. Subscribers poll as well.
     */
    listen(channel: string, onNotification: OnNotification): () => void;
    /**
     * Runs work that may also use the reserved connections of the pool: log-in, health checks and background tasks go on while
     * requests use all others.
     */
    withReservedConnections<T>(run: () => Promise<T>): Promise<T>;
    /**
     * Resolves when everything that was read before is on the disk. A crash of PostgreSQL can undo a change that was read in the
     * milliseconds before its writer got an answer (see `Unlocking`), so readers who give out a position wait for this first.
     */
    readsOnDisk(): Promise<void>;
    /**
     * Resolves when a change of a team that was read before is on the disk: at once for an old one, and for one that this process
     * has written or waited for. `at` is the time of its stamp.
     */
    changeOnDisk(teamId: string, at: Date): Promise<void>;
    /**
     * Returns a reader of a team's data that uses a read replica where one has replayed all changes that the team's clock counts; each
     * of its round trips reads that clock by `primary` before. Writes that take no stamp may be missing.
     */
    replicaReader(primary: Reader, teamId: string): Reader;
    /** Returns the states of the read replicas at their last check, at most a few seconds ago. */
    replicas(): readonly ReplicaReport[];
    /** Resolves when PostgreSQL answers. Uses the reserved connections. */
    ping(): Promise<void>;
    /** Opens the connections. Resolves even if PostgreSQL is unavailable. */
    warmUp(): Promise<void>;
    /** Registers work to do before the connections close, such as flushing a queue. */
    beforeClose(run: () => Promise<void>): void;
    /** Waits for running statements, then closes every connection. */
    close(): Promise<void>;
  };

/** Options of the connection; only `url` is required. */
export type ConnectOptions = PoolOptions & {
  /** The addresses of read replicas of the database; behind a pooler like `url` if `directUrl` is set. */
  replicaUrls?: readonly string[] | undefined;
};

/** Opens the pool; the first query makes the first connection. */
export function connect({ replicaUrls = [], ...options }: ConnectOptions): Database {
  const pool = new ConnectionPool(options);
  const tenancy = readTenancy();
  const modelsOn = lazyModels(tenancy.models.keys());
  const statements = statementCache(tenancy.tables, options.directUrl === undefined ? undefined : 0);
  const prisma = lazyPrisma(pool, tenantGuard(tenancy), statements.name);
  const space = new DiskSpace();
  const sendUnguarded = space.noteFailures(sendOn(pool, statements.named));
  const sendGuarded = space.noteFailures(sendOn(pool, statements.guarded));
  const ping = async (): Promise<void> => void (await withReservedConnections(() => sendUnguarded([sql`SELECT 1`])));
  const unguarded = rawSql(sendUnguarded);
  const guarded = rawSql(sendGuarded);
  const announcer = new Announcer(unguarded.execute);
  const changesOnDisk = new ChangesOnDisk(() => unguarded.execute(reachDisk));
  const host = { changesOnDisk, prisma, modelsOn, pool, statements, announcer, execute: guarded.execute };
  const listener = new Listener({ ...options, url: options.directUrl ?? options.url, directUrl: undefined });
  const replicas = new Replicas(replicaUrls, options, statements, unguarded);
  const lastWrites: (() => Promise<void>)[] = [];

  return {
    client: modelsOn(prisma.load),
    ...guarded,
    transaction: (run, transactionOptions) => space.watch(() => transaction(host, run, transactionOptions)),
    readTransaction: (run, transactionOptions) => readTransaction(host, run, transactionOptions),
    beforeTeam: unguarded,
    joinLookUp: (lookUp) => {
      // Only the first statement is the look-up.
      const sendBoth = sendOn(pool, (statement) =>
        statement === lookUp ? statements.named(statement) : statements.guarded(statement),
      );
      return joinLookUp(lookUp, sendUnguarded, sendBoth, sendGuarded);
    },
    acrossTeams: unguarded,
    announce: (announcement) => announcer.announce(announcement),
    listen: (channel, onNotification) => listener.listen(channel, onNotification),
    withReservedConnections,
    readsOnDisk: () => changesOnDisk.reachDisk(),
    changeOnDisk: (teamId, at) => changesOnDisk.include(teamId, at),
    ...replicas.access,
    ping,
    ...space.watchBy((statement) => sendUnguarded([statement])),
    warmUp: async () => {
      const connections = Array.from({ length: options.poolMax ?? poolDefaults.poolMax }, ping);
      await Promise.allSettled([...connections, replicas.check()]);
    },
    beforeClose: (run) => {
      lastWrites.push(run);
    },
    close: async () => {
      await listener.close();
      await Promise.allSettled(lastWrites.map((run) => run()));
      await Promise.all([announcer.idle(), replicas.close()]);
      await prisma.close();
      await pool.end();
    },
  };
}
