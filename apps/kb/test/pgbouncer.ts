import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "@kb/db/testing";

/** The user who runs PgBouncer, which refuses to run as root. */
const nobody = 65_534;

/** Debian's PgBouncer with the configuration of `deploy`, in front of one database. */
export type PgBouncer = {
  /** The address of the database through it. */
  readonly url: string;
  stop(): Promise<void>;
};

/** Starts it. @param changes replaces texts of the configuration */
export async function startPgBouncer(
  databaseUrl: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "kb-pgbouncer-"));
  const port = await freePort();
  const server = new URL(databaseUrl);
  const name = server.pathname.slice(1);
  const user = decodeURIComponent(server.username);
  const password = decodeURIComponent(server.password);
  writeFileSync(join(folder, "userlist.txt"), `"${user}" "${password}"\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    changed(readFileSync(new URL("../../../deploy/pgbouncer/pgbouncer.ini", import.meta.url), "utf8"), {
      "kb = host=127.0.0.1 port=5432 dbname=kb": `${name} = host=${server.hostname} port=${server.port} dbname=${name}`,
      "listen_port = 6432": `listen_port = ${port}\nunix_socket_dir =`,
      "/etc/pgbouncer/userlist.txt": join(folder, "userlist.txt"),
      ...changes,
    }),
  );
  chmodSync(folder, 0o755);
  const pgbouncer = spawn("pgbouncer", ["--quiet", join(folder, "pgbouncer.ini")], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: "ignore",
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  });
  const ended = once(pgbouncer, "exit");
  await Promise.race([
    listens(port),
    ended.then(([code]) => {
      throw new Error(`pgbouncer ended with ${code}`);
    }),
  ]);
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    stop: async () => {
      pgbouncer.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @throws {Error} for a text that the configuration does not have */
function changed(configuration: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration does not contain: ${from}`);
    return text.replace(from, to);
  }, configuration);
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = createConnection(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await pause(20);
  }
}
