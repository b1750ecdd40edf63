import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type Cluster, databaseNameOf, endWithThisProcess, startCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import pg from "pg";
import { repository } from "./dockerfile.ts";
import { type Launch, type ServiceProcess, startService } from "./service-process.ts";

/** Two releases that share a database, Redis and attachments, behind one proxy. */
export type Releases = {
  readonly origin: string;
  /** Stops an instance and starts it from another release; resolves when it is ready. */
  replace(name: string, release: "older" | "newer"): Promise<void>;
  /** Runs a command of a release; returns its answer. */
  kb(release: "older" | "newer", args: readonly string[]): Promise<Record<string, unknown>>;
};

type Options = { readonly older: string; readonly newer: string; readonly folder: string };

const instances = ["api-1", "api-2", "mcp-1", "mcp-2", "oauth-1", "oauth-2", "web-1", "web-2", "worker-1"];
const apps = ["api", "mcp", "oauth", "web"];
const run = promisify(execFile);
const node = process.execPath;

/** Releases that were not started yet. `close` ends whatever runs, also in the middle of `open`, after which nothing starts any more. */
export type UnopenedReleases = { open(): Promise<Releases>; close(): Promise<void> };

const proxyWithinMs = 60_000;

/** Prepares a new database that the older release migrates, and every instance of that release. */
export function unopenedReleases({ older, newer, folder }: Options): UnopenedReleases {
  const roots = { older, newer };
  const running = new Map<string, ServiceProcess>();
  const dataDir = join(folder, "data");
  // Ends PostgreSQL, which is out of reach of signals to this process, even after SIGKILL.
  const guardian = endWithThisProcess(dataDir);
  let cluster: Promise<Cluster> | undefined;
  let isClosed = false;
  const start = (name: string, launch: Launch): ServiceProcess => {
    if (isClosed) throw new Error(`${name} was not started, because the drill ends`);
    const started = startService(launch);
    running.set(name, started);
    return started;
  };
  const open = async (): Promise<Releases> => {
    await buildWeb(older, newer);
    cluster = startCluster({ dataDir, port: await freePort() });
    const ports = new Map<string, number>();
    for (const name of [...instances, "redis", "proxy"]) ports.set(name, await freePort());
    const origin = `http://127.0.0.1:${ports.get("proxy")}`;
    const env = environmentOf((await cluster).url, origin, ports.get("redis"), folder);
    const startOne = async (name: string, release: "older" | "newer"): Promise<void> => {
      const [app = ""] = name.split("-");
      await start(name, launchOf(name, join(roots[release], "apps", app), env, ports)).healthy();
    };
    const kb: Releases["kb"] = async (release, args) => {
      const cwd = join(roots[release], "apps/kb");
      const { stdout } = await run(node, ["src/main.ts", ...args, "--json"], { cwd, env });
      return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    };
    await createDatabase((await cluster).url);
    await kb("older", ["migrate"]);
    start("redis", plainLaunch("redis", ["redis-server", "--save", "", "--port", `${ports.get("redis")}`], env));
    // One at a time: on two processors, nine starts and their health checks at once take longer than a start may.
    for (const name of instances) await startOne(name, "older");
    await answering(origin, start("proxy", proxyLaunch(newer, origin, ports, env)));
    const replace: Releases["replace"] = async (name, release) => {
      await running.get(name)?.end("SIGTERM");
      await startOne(name, release);
    };
    return { origin, kb, replace };
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all([...running.values()].map((each) => each.end("SIGKILL")));
    const started = await cluster?.catch(() => undefined);
    await started?.stop();
    guardian.release();
  };
  return { open, close };
}

/** Creates the database of an address, which only some releases do themselves when they migrate it. */
async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${databaseNameOf(url)}`);
  await client.end();
}

/** Builds the web apps. As docs/operations.md says of images, the newer one also has the scripts of the older one, which open pages request. */
async function buildWeb(older: string, newer: string): Promise<void> {
  for (const [root = "", ...options] of [[older], [newer, "--previous", join(older, "apps/web/dist/client")]])
    await run(node, ["src/build/main.ts", ...options], { cwd: join(root, "apps/web") });
}

/** Waits until the proxy answers. @throws {Error} with its output, if it ends first or takes too long */
async function answering(origin: string, proxy: ServiceProcess): Promise<void> {
  const answers = (): Promise<boolean> =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    );
  const deadline = performance.now() + proxyWithinMs;
  while (!(await answers())) {
    if (proxy.isOver() || performance.now() > deadline) throw new Error(`the proxy does not answer: ${proxy.output()}`);
    await pause(100);
  }
}

function environmentOf(databaseUrl: string, origin: string, redis: number | undefined, folder: string) {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    APP_URL: origin,
    APP_SECRET: randomBytes(32).toString("hex"),
    DATABASE_URL: databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${redis}`,
    KB_DATA_DIR: join(folder, "files"),
    TRUSTED_PROXIES: "127.0.0.1/32",
    UNREADY_MS: "2500",
    LOG_LEVEL: "warn",
    RATE_LIMIT_PER_MINUTE: "1000000",
    RATE_LIMIT_PAGES_PER_MINUTE: "1000000",
  };
}

type Environment = Readonly<Record<string, string>>;

const plainLaunch = (name: string, command: readonly string[], env: Environment) => ({
  name,
  command,
  cwd: repository,
  env,
  user: "",
  healthcheck: undefined,
});

function launchOf(name: string, cwd: string, env: Environment, ports: ReadonlyMap<string, number>) {
  const url = `http://127.0.0.1:${ports.get(name)}/api/health?ready=1`;
  const check = `fetch("${url}").then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;
  return {
    ...plainLaunch(name, [node, "src/main.ts"], { ...env, PORT: `${ports.get(name)}` }),
    cwd,
    healthcheck: [node, "--eval", check],
  };
}

function proxyLaunch(root: string, origin: string, ports: ReadonlyMap<string, number>, env: Environment) {
  const lists = apps.map((app) => [
    `${app.toUpperCase()}_INSTANCES`,
    instances
      .filter((name) => name.startsWith(`${app}-`))
      .map((name) => `127.0.0.1:${ports.get(name)}`)
      .join(" "),
  ]);
  const config = ["run", "--config", join(root, "docker/Caddyfile"), "--adapter", "caddyfile"];
  return plainLaunch("proxy", ["caddy", ...config], { ...env, APP_URL: origin, ...Object.fromEntries(lists) });
}
