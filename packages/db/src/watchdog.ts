import { createConnection } from "node:net";
import pg from "pg";
import { type PoolOptions, poolConfig, poolDefaults } from "./pool.ts";

/** Watches the connections of a pool for a server that no longer answers. */
export type Watchdog = {
  add(client: pg.PoolClient): void;
  stop(): void;
};

// A statement that waits for longer than `suspectMs` makes the watchdog ask the server on a connection of its own;
// without an answer within `probeMs` the server is away. The sum, with the tick, stays under 3.5 s.
const tickMs = 250;
const suspectMs = 1_000;
const probeMs = 1_750;
const graceMs = 2_000;

/**
 * A server that is cut off without a word (a dead network, a frozen machine) leaves a statement waiting for as long as
 * TCP retries, which is minutes. The watchdog breaks such connections, so that their callers get an error in time.
 */
export function watch(options: PoolOptions): Watchdog {
  const clients = new Map<pg.PoolClient, number | undefined>();
  const statementLimitMs = (options.statementTimeoutMs ?? poolDefaults.statementTimeoutMs) + graceMs;
  let probing = false;

  const tick = async (): Promise<void> => {
    const now = performance.now();
    let suspect = false;
    for (const [client, since] of clients) {
      if (since === undefined) continue;
      // The server would have cancelled the statement by now: this one connection is dead.
      if (now - since > statementLimitMs) destroy(client);
      else if (now - since > suspectMs) suspect = true;
    }
    if (!suspect || probing) return;
    probing = true;
    const alive = await answers(options);
    probing = false;
    if (!alive) for (const [client, since] of clients) if (since === undefined || since <= now) destroy(client);
  };
  const timer = setInterval(() => void tick(), tickMs);
  timer.unref();

  return {
    add: (client) => {
      clients.set(client, undefined);
      onStatement(client, () => clients.set(client, performance.now()));
      client.on("drain", () => clients.set(client, undefined));
      client.on("end", () => clients.delete(client));
    },
    stop: () => clearInterval(timer),
  };
}

function onStatement(client: pg.PoolClient, started: () => void): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args: unknown[]) {
      started();
      return Reflect.apply(query, self, args);
    },
  });
}

function destroy(client: pg.PoolClient): void {
  client.connection.stream.destroy(new Error("Connection terminated: the server does not answer"));
}

// SSLRequest (PostgreSQL protocol, "SSL Session Encryption"): answered with one byte before anybody logs in.
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Whether the server answers a fresh connection in time. */
function answers(options: PoolOptions): Promise<boolean> {
  const { host, port } = new pg.Client(poolConfig(options));
  const socket = host.startsWith("/") ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host);
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), probeMs);
    socket.on("connect", () => socket.write(sslRequest));
    socket.on("data", () => {
      resolve(true);
      socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
