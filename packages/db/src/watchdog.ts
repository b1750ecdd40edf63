import { createConnection } from "node:net";
import pg from "pg";
import { observeStatements, type PoolOptions, poolConfig, poolDefaults } from "./pool.ts";

/** Watches the connections of a pool for a server that stopped responding. */
export type Watchdog = {
  add(client: pg.PoolClient): void;
  stop(): void;
};

// If a statement waits longer than `suspectMs`, the watchdog probes the server on a new connection; without a response
// within `probeMs` the server counts as unreachable. The sum, including the tick, stays under 3.5 s.
const tickMs = 250;
const suspectMs = 1_000;
const probeMs = 1_750;
const graceMs = 2_000;

/**
 * Starts a watchdog that breaks connections to an unreachable server (a dead network, a frozen machine), so that callers
 * get an error in time. Without it, statements wait until TCP gives up, which takes minutes.
 */
export function startWatchdog(options: PoolOptions): Watchdog {
  const clients = new Map<pg.PoolClient, number | undefined>();
  const statementLimitMs = (options.statementTimeoutMs ?? poolDefaults.statementTimeoutMs) + graceMs;
  let probing = false;

  const tick = async (): Promise<void> => {
    const now = performance.now();
    let suspect = false;
    for (const [client, since] of clients) {
      if (since === undefined) continue;
      // The server would have cancelled the statement by now, so this connection is dead.
      if (now - since > statementLimitMs) destroy(client);
      else if (now - since > suspectMs) suspect = true;
    }
    if (!suspect || probing) return;
    probing = true;
    const isAlive = await isServerResponding(options);
    probing = false;
    if (!isAlive) for (const [client, since] of clients) if (since === undefined || since <= now) destroy(client);
  };
  const timer = setInterval(() => void tick(), tickMs);
  timer.unref();

  return {
    add: (client) => {
      clients.set(client, undefined);
      observeStatements(client, () => clients.set(client, performance.now()));
      client.on("drain", () => clients.set(client, undefined));
      client.on("end", () => clients.delete(client));
    },
    stop: () => clearInterval(timer),
  };
}

function destroy(client: pg.PoolClient): void {
  client.connection.stream.destroy(new Error("Connection terminated: the server does not answer"));
}

// SSLRequest (PostgreSQL protocol, "SSL Session Encryption"): the server responds with one byte, before authentication.
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Returns whether the server responds on a new connection in time. */
function isServerResponding(options: PoolOptions): Promise<boolean> {
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
