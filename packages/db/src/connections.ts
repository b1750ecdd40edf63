import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { observeStatements, type PoolOptions, poolConfig } from "./pool.ts";
import { watch } from "./watchdog.ts";

/** The connection that a Prisma transaction took, while it holds it. */
type Holder = { connection: pg.PoolClient | undefined };

/** One pool for Prisma and for raw reads, which also tells on which connection a Prisma transaction runs. */
export class ConnectionPool extends pg.Pool {
  readonly #starting = new AsyncLocalStorage<Holder>();
  readonly #holders = new WeakMap<pg.PoolClient, Holder>();
  readonly #stopWatching: () => void;

  constructor(options: PoolOptions) {
    super(poolConfig(options));
    // A broken connection leaves the pool by itself, and its query is told; without a listener it would end the process.
    this.on("error", () => {});
    this.on("release", (_error, client) => this.#letGo(client));
    const watchdog = watch(options);
    this.#stopWatching = watchdog.stop;
    this.on("connect", (client) => {
      client.on("error", () => {});
      watchdog.add(client);
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
    if (callback !== undefined) {
      super.connect(callback);
      return undefined;
    }
    const holder = this.#starting.getStore();
    return holder === undefined ? super.connect() : this.#connectFor(holder);
  }

  override async end(): Promise<void> {
    this.#stopWatching();
    await super.end();
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
