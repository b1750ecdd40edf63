import { AsyncLocalStorage } from "node:async_hooks";
import { noTelemetry } from "@kb/telemetry";
import pg from "pg";
import { bindToScope, createMeasure, type Measure } from "./measure.ts";
import { observePool } from "./observe-pool.ts";
import { observeStatements, type PoolOptions, poolConfig, poolDefaults, reservedOf } from "./pool.ts";
import { mayUseReserved } from "./reserved-connections.ts";
import { startWatchdog } from "./watchdog.ts";

type Connected = Parameters<pg.Pool["connect"]>[0];

/**
 * The pool for Prisma and for raw statements. Some of its connections are reserved: they are in a pool of their own, which
 * only `withReservedConnections` uses, while all others are taken.
 */
export class ConnectionPool extends pg.Pool {
  readonly #lent = new AsyncLocalStorage<pg.PoolClient>();
  readonly #stopWatching: () => void;
  readonly #measure: Measure;
  readonly #reserved: pg.Pool | undefined;

  constructor(options: PoolOptions) {
    const reserved = reservedOf(options);
    const { poolMax = poolDefaults.poolMax } = options;
    super(poolConfig(options, poolMax - reserved));
    this.#reserved = reserved === 0 ? undefined : new pg.Pool(poolConfig(options, reserved));
    const { telemetry = noTelemetry, applicationName = poolDefaults.applicationName } = options;
    this.#measure = createMeasure(telemetry, applicationName);
    const pools = this.#reserved === undefined ? [this] : [this, this.#reserved];
    const stopObserving = observePool(telemetry, applicationName, pools);
    const watchdog = startWatchdog(options);
    this.#stopWatching = () => {
      watchdog.stop();
      stopObserving();
    };
    for (const pool of pools) {
      // A broken connection leaves the pool and fails its query. Without a listener the error would end the process.
      pool.on("error", () => {});
      pool.on("connect", (client) => {
        client.on("error", () => {});
        watchdog.add(client);
        this.#measure.statements(client);
        if (options.onQuery !== undefined) observeStatements(client, options.onQuery);
      });
    }
  }

  /** Runs `start`, in which Prisma takes this connection instead of one of the pool. */
  lendTo<T>(connection: pg.PoolClient, start: () => Promise<T>): Promise<T> {
    return this.#lent.run(connection, start);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
    const isMeasured = this.#measure.isEnabled();
    const startedAt = isMeasured ? performance.now() : 0;
    if (callback !== undefined) {
      const connected = isMeasured ? this.#measured(startedAt, callback) : callback;
      const reserved = this.#neededReserve();
      if (reserved === undefined) super.connect(connected);
      else reserved.connect(connected);
      return undefined;
    }
    const lent = this.#lent.getStore();
    if (lent !== undefined) return Promise.resolve(lent);
    const connecting = this.#checkOut();
    if (isMeasured) {
      connecting.then(
        () => this.#measure.wait(startedAt),
        (error: unknown) => this.#measure.wait(startedAt, error),
      );
    }
    return connecting;
  }

  override async end(): Promise<void> {
    this.#stopWatching();
    await Promise.all([super.end(), this.#reserved?.end()]);
  }

  /** Returns the reserve if the running code may use it and all other connections are in use. */
  #neededReserve(): pg.Pool | undefined {
    const isFull = this.idleCount === 0 && this.totalCount >= this.options.max;
    return isFull && mayUseReserved() ? this.#reserved : undefined;
  }

  #checkOut(): Promise<pg.PoolClient> {
    return this.#neededReserve()?.connect() ?? super.connect();
  }

  /** Restores the scope in which the wait began, because the request that releases the connection runs the callback. */
  #measured(startedAt: number, callback: Connected): Connected {
    return bindToScope((error, client, release) => {
      this.#measure.wait(startedAt, error);
      callback(error, client, release);
    });
  }
}
