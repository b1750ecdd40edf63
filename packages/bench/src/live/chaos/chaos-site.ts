import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { admin, type Service } from "@kb/core";
import { type Cluster, connect, type Database, endWithThisProcess, migrate, startCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import { redisServer } from "@kb/runtime/testing";
import { type FaultProxy, faultProxy } from "@kb/testing";
import { builtProgram } from "@kb/testing/built-program";
import pg from "pg";
import { fillTeam, type Person } from "../open-live-site.ts";
import { startCaddy } from "./caddy.ts";
import { ClosingStack } from "./closing-stack.ts";
import { type App, ReplaceableProcess } from "./replaceable-process.ts";

const secret = "a secret that only the benchmarks use, never a service";

/** PostgreSQL as it was started last. */
type Postgres = { cluster: Cluster };

/** Two instances of the API and of the MCP endpoint and a worker behind the proxy of the compose file, all of which can be killed. */
export class ChaosSite {
  readonly service: Service;
  readonly database: Database;
  readonly people: readonly Person[];
  readonly createDocument: (text: string) => Promise<string>;
  /** Networks between some of the people and assistants and the proxy. */
  readonly networks: readonly FaultProxy[];
  readonly #folder: string;
  readonly #processes: readonly ReplaceableProcess[];
  readonly #closing: ClosingStack;
  readonly #postgres: Postgres;

  private constructor(parts: {
    folder: string;
    postgres: Postgres;
    service: Service;
    processes: readonly ReplaceableProcess[];
    networks: readonly FaultProxy[];
    closing: ClosingStack;
    team: Awaited<ReturnType<typeof fillTeam>>;
  }) {
    this.#folder = parts.folder;
    this.#postgres = parts.postgres;
    this.#processes = parts.processes;
    this.#closing = parts.closing;
    this.service = parts.service;
    this.database = parts.service.database;
    this.networks = parts.networks;
    this.people = parts.team.people;
    this.createDocument = parts.team.createDocument;
  }

  /** Opens the site. Ends what it has started if it fails. */
  static async open(networkCount: number): Promise<ChaosSite> {
    const closing = new ClosingStack();
    try {
      return await ChaosSite.#open(networkCount, closing);
    } catch (error) {
      await closing.close();
      throw error;
    }
  }

  static async #open(networkCount: number, closing: ClosingStack): Promise<ChaosSite> {
    const folder = mkdtempSync(join(tmpdir(), "kb-live-chaos-"));
    // Ends PostgreSQL, which is started again and again, and removes the folder, whatever ends this process.
    const guardian = endWithThisProcess(folder);
    closing.add(async () => guardian.release());
    const postgres: Postgres = { cluster: await startCluster({ dataDir: folder }) };
    closing.add(() => postgres.cluster.stop());
    const { url } = postgres.cluster;
    await migrate(url);
    const redis = await redisServer();
    closing.add(() => redis.stop());
    const appUrl = `http://localhost:${await freePort()}`;
    const database = connect({ url });
    closing.add(() => database.close());
    const service: Service = { database, clock: { now: () => new Date() }, appUrl };
    const team = await fillTeam(service);
    await admin.setMcp(service, undefined, true);
    const environment = {
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      APP_URL: appUrl,
      APP_SECRET: secret,
      KB_DATA_DIR: join(folder, "files"),
      RATE_LIMIT_PER_MINUTE: "1000000",
      RATE_LIMIT_SESSION_PER_MINUTE: "1000000",
      LOG_LEVEL: "info",
    };
    const processes = await Promise.all(
      (["api", "api", "mcp", "mcp", "worker"] as const).map(async (app) => {
        const started = new ReplaceableProcess(app, await freePort(), environment);
        closing.add(() => started.stop());
        await started.start();
        return started;
      }),
    );
    const instances = { api: portsOf(processes, "api"), mcp: portsOf(processes, "mcp") };
    closing.add(await startCaddy(appUrl, instances, folder));
    const networks = await Promise.all(Array.from({ length: networkCount }, () => networkTo(appUrl)));
    closing.add(async () => void (await Promise.all(networks.map((network) => network.close()))));
    return new ChaosSite({ folder, postgres, service, processes, networks, closing, team });
  }

  /** Returns the ports of the instances of an app, which no proxy is in front of. */
  portsOf(app: App): readonly number[] {
    return portsOf(this.#processes, app);
  }

  /** Kills an instance, counted from 0, as it is, and starts it again. */
  async kill(app: App, number: number): Promise<void> {
    const instances = this.#processes.filter((one) => one.app === app);
    await instances[number % instances.length]?.replace("SIGKILL");
  }

  /** Stops one process after another as an update does, each once the one before it serves again. */
  async restartOneByOne(): Promise<void> {
    for (const one of this.#processes) await one.replace("SIGTERM");
  }

  /** Kills PostgreSQL, and starts it again. */
  async killDatabase(): Promise<void> {
    const { pid, port } = this.#postgres.cluster;
    process.kill(pid, "SIGKILL");
    this.#postgres.cluster = await startCluster({ dataDir: this.#folder, port });
  }

  /** Backs up the running service, restores the backup to a database of its own, and returns a connection to that. */
  async restoredBackup(name: string): Promise<Database> {
    const file = join(this.#folder, `${name}.tar.gz`);
    await this.#runKb(["backup", "--out", file], this.#postgres.cluster.url);
    const url = new URL(this.#postgres.cluster.url);
    const maintenance = new pg.Client({ connectionString: url.href });
    await maintenance.connect();
    await maintenance.query(`CREATE DATABASE ${maintenance.escapeIdentifier(name)}`).finally(() => maintenance.end());
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
    await promisify(execFile)(process.execPath, [await builtProgram("kb"), ...args], { env, cwd: this.#folder });
  }

  /** Ends everything, the last part first. */
  close(): Promise<void> {
    return this.#closing.close();
  }
}

const portsOf = (processes: readonly ReplaceableProcess[], app: App): readonly number[] =>
  processes.filter((one) => one.app === app).map(({ port }) => port);

/** Between the people and the service, in each direction: answers are on their way when a network is cut. */
const latencyMs = 30;

/** The proxy knows its site by the name `localhost`. */
async function networkTo(origin: string): Promise<FaultProxy> {
  const network = await faultProxy(origin.replace("localhost", "127.0.0.1"));
  network.delay(latencyMs);
  const restore = async (): Promise<void> => {
    await network.restore();
    network.delay(latencyMs);
  };
  return { ...network, restore, url: network.url.replace("127.0.0.1", "localhost") };
}
