import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { startCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import { repository } from "./dockerfile.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

/** Two releases that share a database, Redis and attachments, behind one proxy. */
export type Releases = {
  readonly origin: string;
  /** Stops an instance and starts it from another release; resolves when it is ready. */
  replace(name: string, release: "older" | "newer"): Promise<void>;
  /** Runs a command of a release; returns its answer. */
  kb(release: "older" | "newer", args: readonly string[]): Promise<Record<string, unknown>>;
  close(): Promise<void>;
};

type Options = { readonly older: string; readonly newer: string; readonly folder: string };

const instances = ["api-1", "api-2", "mcp-1", "mcp-2", "oauth-1", "oauth-2", "web-1", "web-2", "worker-1"];
const apps = ["api", "mcp", "oauth", "web"];
const run = promisify(execFile);
const node = process.execPath;

/** Migrates a new database with the older release, and starts every instance of it. */
export async function openReleases({ older, newer, folder }: Options): Promise<Releases> {
  const roots = { older, newer };
  // As docs/operations.md says of images: the newer web app also has the scripts of the older one, which open pages request.
  const builds = [[older], [newer, "--previous", join(older, "apps/web/dist/client")]];
  for (const [root = "", ...options] of builds) {
    await run(node, ["src/build/main.ts", ...options], { cwd: join(root, "apps/web") });
  }
  const cluster = await startCluster({ dataDir: join(folder, "data"), port: await freePort() });
  const ports = new Map<string, number>();
  for (const name of [...instances, "redis", "proxy"]) ports.set(name, await freePort());
  const origin = `http://127.0.0.1:${ports.get("proxy")}`;
  const env = environmentOf(cluster.url, origin, ports.get("redis"), folder);
  const running = new Map<string, ServiceProcess>();
  const start = async (name: string, release: "older" | "newer"): Promise<void> => {
    const [app = ""] = name.split("-");
    const started = startService(launchOf(name, join(roots[release], "apps", app), env, ports));
    running.set(name, started);
    await started.healthy();
  };
  const kb: Releases["kb"] = async (release, args) => {
    const cwd = join(roots[release], "apps/kb");
    const { stdout } = await run(node, ["src/main.ts", ...args, "--json"], { cwd, env });
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  };
  await kb("older", ["migrate"]);
  const redis = startService(
    plainLaunch("redis", ["redis-server", "--save", "", "--port", `${ports.get("redis")}`], env),
  );
  await Promise.all(instances.map((name) => start(name, "older")));
  const proxy = startService(proxyLaunch(newer, origin, ports, env));
  while (
    !(await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause(100);
  return {
    origin,
    kb,
    replace: async (name, release) => {
      await running.get(name)?.end("SIGTERM");
      await start(name, release);
    },
    close: async () => {
      await Promise.all([...running.values(), proxy, redis].map((each) => each.end("SIGKILL")));
      await cluster.stop();
    },
  };
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
