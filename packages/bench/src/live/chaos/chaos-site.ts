import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Service } from "@kb/core";
import { type Cluster, connect, type Database, migrate, startCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import { type FaultProxy, faultProxy } from "@kb/testing";
import pg from "pg";
import { type ServerProcess, startServer } from "../../processes.ts";
import { fillTeam, type Person } from "../open-live-site.ts";

const appUrl = "http://localhost:3000";
const secret = "a secret that only the benchmarks use, never a service";
const apps = resolve(import.meta.dirname, "../../../../../apps");

/** A process that can be killed and started again on its port. */
type Replaceable = { readonly app: "api" | "worker"; readonly port: number; process: ServerProcess };

/** A network between some people and all instances: one proxy for each instance. */
export type Network = readonly FaultProxy[];

/** Two instances of the API and a worker, all of which can be killed, with their PostgreSQL and their networks. */
export class ChaosSite {
  readonly service: Service;
  readonly people: readonly Person[];
  readonly createDocument: (text: string) => Promise<string>;
  readonly networks: readonly Network[];
  readonly #folder: string;
  readonly #database: Database;
  readonly #processes: readonly Replaceable[];
  #cluster: Cluster;

  private constructor(parts: {
    folder: string;
    cluster: Cluster;
    database: Database;
    service: Service;
    processes: readonly Replaceable[];
    networks: readonly Network[];
    team: Awaited<ReturnType<typeof fillTeam>>;
  }) {
    this.#folder = parts.folder;
    this.#cluster = parts.cluster;
    this.#database = parts.database;
    this.#processes = parts.processes;
    this.service = parts.service;
    this.networks = parts.networks;
    this.people = parts.team.people;
    this.createDocument = parts.team.createDocument;
  }

  static async open(networkCount: number): Promise<ChaosSite> {
    const folder = mkdtempSync(join(tmpdir(), "kb-live-chaos-"));
    const cluster = await startCluster({ dataDir: join(folder, "data") });
    await migrate(cluster.url);
    const database = connect({ url: cluster.url });
    const service: Service = { database, clock: { now: () => new Date() }, appUrl };
    const team = await fillTeam(service);
    const processes = await Promise.all(
      (["api", "api", "worker"] as const).map(async (app) => {
        const port = await freePort();
        return { app, port, process: await start(app, port, cluster.url) };
      }),
    );
    const ports = processes.filter(({ app }) => app === "api").map(({ port }) => port);
    const networks = await Promise.all(
      Array.from({ length: networkCount }, () =>
        Promise.all(ports.map((port) => faultProxy(`http://127.0.0.1:${port}`))),
      ),
    );
    return new ChaosSite({ folder, cluster, database, service, processes, networks, team });
  }

  get database(): Database {
    return this.#database;
  }

  /** The ports of the instances, which no proxy is in front of. */
  get ports(): readonly number[] {
    return this.#processes.filter(({ app }) => app === "api").map(({ port }) => port);
  }

  /** Kills a process as it is, and starts it again. */
  async kill(place: number): Promise<void> {
    await this.#replace(place, "SIGKILL");
  }

  /** Stops one instance after another as an update does, each once the one before it serves again. */
  async restartOneByOne(): Promise<void> {
    for (const place of this.#processes.keys()) await this.#replace(place, "SIGTERM");
  }

  async #replace(place: number, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const one = this.#processes[place];
    if (one === undefined) throw new Error(`there is no process ${place}`);
    const { pid } = one.process;
    process.kill(pid, signal);
    await one.process.ended;
    one.process = await start(one.app, one.port, this.#cluster.url);
  }

  /** Kills PostgreSQL, and starts it again. */
  async killDatabase(): Promise<void> {
    const { pid, port } = this.#cluster;
    process.kill(pid, "SIGKILL");
    this.#cluster = await startCluster({ dataDir: join(this.#folder, "data"), port });
  }

  /** Backs up the running service, restores the backup to a database of its own, and returns a connection to that. */
  async restoredBackup(name: string): Promise<Database> {
    const file = join(this.#folder, `${name}.tar.gz`);
    await this.#runKb(["backup", "--out", file], this.#cluster.url);
    const url = new URL(this.#cluster.url);
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${admin.escapeIdentifier(name)}`).finally(() => admin.end());
    url.pathname = `/${name}`;
    await this.#runKb(["restore", file], url.href);
    return connect({ url: url.href });
  }

  async #runKb(args: readonly string[], databaseUrl: string): Promise<void> {
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      APP_SECRET: secret,
      KB_DATA_DIR: join(this.#folder, "kb"),
    };
    await promisify(execFile)(process.execPath, [join(apps, "kb/src/main.ts"), ...args], { env, cwd: this.#folder });
  }

  async close(): Promise<void> {
    await Promise.all(this.networks.flat().map((proxy) => proxy.close()));
    await Promise.all(this.#processes.map(({ process: one }) => one.stop()));
    await this.#database.close();
    await this.#cluster.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function start(app: "api" | "worker", port: number, databaseUrl: string): Promise<ServerProcess> {
  return startServer(join(apps, app, "src/main.ts"), [], port, {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    APP_URL: appUrl,
    APP_SECRET: secret,
    RATE_LIMIT_PER_MINUTE: "1000000",
    LOG_LEVEL: "info",
  });
}
