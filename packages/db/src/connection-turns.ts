import { turnOfCaller, type WorkTurn } from "@kb/telemetry";
import type pg from "pg";
import { bindToScope } from "./measure.ts";

type Connected = Parameters<pg.Pool["connect"]>[0];

/** Lets the caller of a request take a connection only in their turn, which lasts until it is released. */
export class ConnectionTurns {
  readonly #ends = new WeakMap<pg.ClientBase, () => void>();

  /** Ends the turns of the connections of a pool when they are released. */
  watch(pool: pg.Pool): void {
    pool.on("release", (_error, client) => {
      this.#ends.get(client)?.();
      this.#ends.delete(client);
    });
  }

  /** Connects in the turn of the caller. @throws that of the turn, for one that waits for too long */
  take(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const takeTurn = turnOfCaller();
    return takeTurn === undefined ? connect() : this.#connectInTurn(takeTurn(), connect);
  }

  /** Does the same for code that takes a callback. */
  callBack(connected: Connected, connect: (connected: Connected) => void): void {
    const takeTurn = turnOfCaller();
    if (takeTurn === undefined) connect(connected);
    else {
      const take = (): Promise<pg.PoolClient> => promised(connect);
      this.#connectInTurn(takeTurn(), take).then(
        (client) => connected(undefined, client, client.release),
        (error: Error) => connected(error, undefined, () => {}),
      );
    }
  }

  async #connectInTurn(taking: Promise<WorkTurn>, connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const turn = await taking;
    try {
      const client = await connect();
      turn.countTime();
      this.#ends.set(client, turn.end);
      return client;
    } catch (error) {
      turn.end();
      throw error;
    }
  }
}

function promised(connect: (connected: Connected) => void): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    const connected: Connected = (error, client) => (client === undefined ? reject(error) : resolve(client));
    connect(bindToScope(connected));
  });
}
