import { AsyncLocalStorage } from "node:async_hooks";
import { noTelemetry } from "@kb/telemetry";
import pg from "pg";
import { inPlace, type Measure, measureOf } from "./measure.ts";
import { observePool } from "./observe-pool.ts";
import { observeStatements, type PoolOptions, poolConfig, poolDefaults } from "./pool.ts";
import { watch } from "./watchdog.ts";

/** The connection that a Prisma transaction took, while it holds it. */
type Holder = { connection: pg.PoolClient | undefined };

type Connected = Parameters<pg.Pool["connect"]>[0];

/** One pool for Prisma and for raw reads, which also tells on which connection a Prisma transaction runs. */
export class ConnectionPool extends pg.Pool {
  readonly #starting = new AsyncLocalStorage<Holder>();
  readonly #holders = new WeakMap<pg.PoolClient, Holder>();
  readonly #stopWatching: () => void;
  readonly #measure: Measure;

  constructor(options: PoolOptions) {
    super(poolConfig(options));
    const { telemetry = noTelemetry, applicationName = poolDefaults.applicationName } = options;
    this.#measure = measureOf(telemetry, applicationName);
    const stopObserving = observePool(telemetry, applicationName, this);
    // A broken connection leaves the pool by itself, and its query is told; without a listener it would end the process.
    this.on("error", () => {});
    this.on("release", (_error, client) => this.#letGo(client));
    const watchdog = watch(options);
    this.#stopWatching = () => {
      watchdog.stop();
      stopObserving();
    };
    this.on("connect", (client) => {
      client.on("error", () => {});
      watchdog.add(client);
      this.#measure.statements(client);
      if (options.onQuery !== undefined) observeStatements(client, options.onQuery);
    });
  }

  /** Runs what starts a Prisma transaction; the holder given to it knows the connection as long as the transaction has it. */
  holding<T>(start: (holder: Holder) => Promise<T>): Promise<T> {
    const holder: Holder = { connection: undefined };
    return this.#starting.run(holder, () => start(holder));
  }

  /** Inside the callback of a transaction: queries of other transactions are no longer taken for its own. */
  outside<T>(run: () => T): T {
    return this.#starting.exit(run);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
    const wanted = this.#measure.wanted();
    const startedAt = wanted ? performance.now() : 0;
    if (callback !== undefined) {
      super.connect(wanted ? this.#measured(startedAt, callback) : callback);
      return undefined;
    }
    const holder = this.#starting.getStore();
    const connecting = holder === undefined ? super.connect() : this.#connectFor(holder);
    if (wanted) {
      connecting.then(
        () => this.#measure.wait(startedAt),
        (error: unknown) => this.#measure.wait(startedAt, error),
      );
    }
    return connecting;
  }

  override async end(): Promise<void> {
    this.#stopWatching();
    await super.end();
  }

  /** Called where the wait began: who frees a connection calls those that wait, from within another request. */
  #measured(startedAt: number, callback: Connected): Connected {
    return inPlace((error, client, release) => {
      this.#measure.wait(startedAt, error);
      callback(error, client, release);
    });
  }

  async #connectFor(holder: Holder): Promise<pg.PoolClient> {
    const client = await super.connect();
    holder.connection = client;
    this.#holders.set(client, holder);
    return client;
  }

  // After Prisma gave the connection back (at the end, or when its time is up) it may already serve somebody else.
  #letGo(client: pg.PoolClient): void {
    const holder = this.#holders.get(client);
    if (holder === undefined) return;
    holder.connection = undefined;
    this.#holders.delete(client);
  }
}
