import type pg from "pg";
import type { ConnectionPool } from "./connection-pool.ts";
import type { Models } from "./models.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import type { LazyPrisma } from "./prisma.ts";

// Prisma must not end before the transaction does, which has a timeout of its own.
const prismaTimeoutMs = 2 ** 31 - 1;

/** The models of a transaction, whose queries run on its connection. Prisma joins when the first one is used. */
export class TransactionModels {
  readonly #prisma: LazyPrisma;
  readonly #pool: ConnectionPool;
  readonly #open: OpenTransaction;
  readonly #connection: pg.PoolClient;
  readonly #finished = Promise.withResolvers<void>();
  #joined: Promise<Models> | undefined;
  #left: Promise<void> | undefined;

  constructor(prisma: LazyPrisma, pool: ConnectionPool, open: OpenTransaction, connection: pg.PoolClient) {
    this.#prisma = prisma;
    this.#pool = pool;
    this.#open = open;
    this.#connection = connection;
  }

  /** Returns the models. @throws {Error} if the transaction has ended */
  async load(): Promise<Models> {
    this.#open.requireOpen();
    this.#joined ??= this.#join();
    return this.#joined;
  }

  /** Makes Prisma leave the transaction, which goes on. */
  async end(): Promise<void> {
    this.#finished.resolve();
    await this.#joined?.catch(() => {});
    await this.#left;
  }

  async #join(): Promise<Models> {
    const client = await this.#prisma.load();
    const { promise, resolve, reject } = Promise.withResolvers<Models>();
    const work = (models: Models): Promise<void> => {
      resolve(models);
      return this.#finished.promise;
    };
    const lent = lend(this.#connection, this.#open);
    this.#left = this.#pool.lendTo(lent, () =>
      client.$transaction(work, { maxWait: prismaTimeoutMs, timeout: prismaTimeoutMs }).catch(reject),
    );
    return promise;
  }
}

const framesTransaction = /^(BEGIN|COMMIT|ROLLBACK)$/;
const noResult = { command: "", rowCount: 0, oid: 0, fields: [], rows: [] };

/** Returns a connection that Prisma uses as if it were its own: it neither begins, ends nor releases anything. */
function lend(connection: pg.PoolClient, open: OpenTransaction): pg.PoolClient {
  const lent = {
    query: (query: pg.QueryConfig) =>
      framesTransaction.test(query.text) ? Promise.resolve(noResult) : open.query(() => connection.query(query)),
    release: () => {},
    on: () => lent,
    removeListener: () => lent,
  };
  return asConnection(lent);
}

/** Casts a connection that has the methods which Prisma's adapter calls in a transaction. */
function asConnection(lent: object): pg.PoolClient {
  return lent as pg.PoolClient;
}
