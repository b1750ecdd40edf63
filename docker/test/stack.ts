import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { testSecret } from "@kb/core/testing";
import { type Cluster, endWithThisProcess, startCluster } from "@kb/db";
import { freePort } from "@kb/db/testing";
import { type FaultProxy, faultProxy } from "@kb/testing";
import pg from "pg";
import { type ComposeFile, type ComposeService, readCompose } from "./compose.ts";
import { repository } from "./dockerfile.ts";
import { buildImages, type Image } from "./image.ts";
import { type Launch, type ServiceProcess, startService } from "./service-process.ts";

/** The services of the compose file as processes on ports of this machine. */
export type Stack = {
  readonly origin: string;
  readonly compose: ComposeFile;
  readonly images: ReadonlyMap<string, Image>;
  /** Running services by name. */
  readonly running: ReadonlyMap<string, ServiceProcess>;
  /** The fault proxy between the apps and PostgreSQL. */
  readonly database: FaultProxy;
  /** The address of PostgreSQL without the proxy. */
  readonly databaseUrl: string;
  service(name: string): ServiceProcess;
  /** Runs a service's image once with another command; returns the exit code and the output. */
  runOnce(name: string, command: readonly string[]): Promise<{ code: number | null; output: string }>;
  /** Starts a service that has ended; resolves when it is healthy. */
  start(name: string): Promise<ServiceProcess>;
  /** Stops PostgreSQL and starts it on the same data. */
  restartPostgres(): Promise<void>;
};

/**
 * A stack that was not started yet. `close` ends whatever runs, also in the middle of `open`, after which nothing starts any more: a
 * test whose start takes too long goes on to its end.
 */
export type UnopenedStack = { open(): Promise<Stack>; close(): Promise<void> };

const apps = ["api", "mcp", "oauth", "web", "worker", "kb"];

/** Prepares the folder of a stack. `open` builds every image and starts every service in the order of their dependencies. */
export function unopenedStack(): UnopenedStack {
  const folder = mkdtempSync(join(tmpdir(), "kb-stack-"));
  chmodSync(folder, 0o755);
  // Ends PostgreSQL and removes the folder in the background, because it takes a while.
  const guardian = endWithThisProcess(folder);
  const ending = new AbortController();
  const running = new Map<string, ServiceProcess>();
  const launch: Starting["launch"] = (given) => {
    ending.signal.throwIfAborted();
    const started = startService(given);
    running.set(given.name, started);
    return started;
  };
  const closings: (() => Promise<void>)[] = [];
  let opening: Promise<Stack> | undefined;
  const endServices = (): Promise<unknown> => Promise.all([...running.values()].map((each) => each.end("SIGKILL")));
  return {
    open: () => {
      opening ??= openStack({ folder, running, launch, signal: ending.signal, closings });
      return opening;
    },
    close: async () => {
      ending.abort();
      await endServices();
      // A service that has just been ended fails the start.
      await opening?.catch(() => undefined);
      await endServices();
      for (const close of closings.toReversed()) await close();
      guardian.release();
    },
  };
}

type Starting = {
  readonly folder: string;
  readonly running: ReadonlyMap<string, ServiceProcess>;
  /** Starts a process that goes on. @throws {Error} once the stack ends */
  readonly launch: (launch: Launch) => ServiceProcess;
  readonly signal: AbortSignal;
  /** Takes up what ends the database and the proxy before it. */
  readonly closings: (() => Promise<void>)[];
};

async function openStack({ folder, running, launch, signal, closings }: Starting): Promise<Stack> {
  const images = await buildImages(apps, join(folder, "images"), signal);
  const ports = new Map<string, number>();
  for (const name of Object.keys(readCompose(required).services)) ports.set(name, await freePort());
  const origin = `http://localhost:${ports.get("proxy")}`;
  const variables = { ...required, ...forTests, APP_URL: origin };
  const compose = readCompose(variables);
  const postgres = { dataDir: folder, port: ports.get("postgres") ?? 0 };
  const settings = settingsOf(compose.services.postgres?.command ?? []);
  signal.throwIfAborted();
  let cluster = await startCluster({ ...postgres, settings });
  closings.push(() => cluster.stop());
  await prepareDatabase(cluster, variables.POSTGRES_PASSWORD);
  signal.throwIfAborted();
  const databaseUrl = `postgresql://kb:${variables.POSTGRES_PASSWORD}@127.0.0.1:${postgres.port}/kb`;
  const database = await faultProxy(databaseUrl);
  closings.push(() => database.close());
  const volumes = join(folder, "volumes");
  makeVolumes(volumes, compose);
  const launchOf = launcher({ compose, images, ports, database, volumes, folder });
  const start = async (name: string): Promise<ServiceProcess> => {
    const started = launch(launchOf(name, compose.services[name]?.command));
    await started.healthy();
    return started;
  };
  for (const name of inOrder(compose)) {
    signal.throwIfAborted();
    if (name === "migrate") await endedWell(startService(launchOf(name, compose.services[name]?.command)), signal);
    else if (name !== "postgres") await start(name);
  }
  await answering(origin, signal);
  const service = (name: string): ServiceProcess => {
    const found = running.get(name);
    if (found === undefined) throw new Error(`${name} does not run`);
    return found;
  };
  return {
    origin,
    compose,
    images,
    running,
    database,
    databaseUrl,
    service,
    start,
    runOnce: async (name, command) => {
      const once = startService(launchOf(name, command));
      return { code: await once.ended, output: once.output() };
    },
    restartPostgres: async () => {
      await cluster.stop();
      cluster = await startCluster({ ...postgres, settings });
    },
  };
}

/** Waits until the proxy answers. */
async function answering(origin: string, signal: AbortSignal): Promise<void> {
  const answers = (): Promise<boolean> =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  while (!(await answers())) await pause(50, undefined, { signal });
}

/** Waits for the end of a job, which the signal kills. @throws {Error} if it fails */
async function endedWell(job: ServiceProcess, signal: AbortSignal): Promise<void> {
  const kill = (): void => void job.end("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  const code = await job.ended;
  signal.removeEventListener("abort", kill);
  if (code !== 0) throw new Error(`${job.launch.name} failed: ${job.output()}`);
}

/** Variables without a default: random secrets, and those of the test world, with which tests seal values. */
const required = {
  APP_URL: "http://localhost",
  APP_SECRET: testSecret,
  POSTGRES_PASSWORD: randomBytes(24).toString("hex"),
  REDIS_PASSWORD: randomBytes(24).toString("hex"),
};

const forTests = {
  KB_SUBNET: "127.0.0.1/32",
  RATE_LIMIT_PER_MINUTE: "1000000",
  RATE_LIMIT_SESSION_PER_MINUTE: "1000000",
  RATE_LIMIT_PAGES_PER_MINUTE: "1000000",
  WEBHOOK_ALLOW_PRIVATE_NETWORK: "true",
};

/** Parses the settings of `postgres -c name=value …`. */
function settingsOf(command: readonly string[]): Record<string, string> {
  return Object.fromEntries(command.filter((word) => word.includes("=")).map((word) => word.split("=", 2)));
}

/** Prepares PostgreSQL from `POSTGRES_USER` and similar variables, as its image does. */
async function prepareDatabase(cluster: Cluster, password: string): Promise<void> {
  const url = new URL(cluster.url);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`CREATE ROLE kb LOGIN PASSWORD '${password}'`);
  await client.query("CREATE DATABASE kb OWNER kb");
  await client.end();
}

function makeVolumes(folder: string, { volumes }: ComposeFile): void {
  for (const name of Object.keys(volumes)) {
    const place = join(folder, name);
    mkdirSync(place, { recursive: true });
    // A new volume gets the owner of its folder in the image.
    if (process.getuid?.() === 0) chownSync(place, 1000, 1000);
  }
}

type LaunchContext = {
  readonly compose: ComposeFile;
  readonly images: ReadonlyMap<string, Image>;
  readonly ports: ReadonlyMap<string, number>;
  readonly database: FaultProxy;
  readonly volumes: string;
  readonly folder: string;
};

/** Returns the command of a service with host names and volumes replaced by those of this machine. */
function launcher(context: LaunchContext) {
  const { compose, images, ports, database, folder } = context;
  cpSync(process.execPath, join(folder, "node"));
  const placed = (text: string): string =>
    text
      .replace(/postgres:5432/, `127.0.0.1:${new URL(database.url).port}`)
      .replaceAll(/\b([a-z]+(?:-\d)?):(?:3000|6379)\b/g, (whole, name: string) =>
        ports.has(name) ? `127.0.0.1:${ports.get(name)}` : whole,
      );
  return (name: string, command: readonly string[] = []): Launch => {
    const service = compose.services[name];
    if (service === undefined) throw new Error(`there is no service ${name}`);
    const image = images.get(service.build?.args.APP ?? "");
    const mounts = mountsOf(service, context.volumes);
    const inPlace = (text: string): string =>
      mounts.reduce(
        (words, { inside, outside }) => (words.startsWith(inside) ? outside + words.slice(inside.length) : words),
        placed(text),
      );
    const port = String(ports.get(name));
    const own = { ...image?.env, ...service.environment };
    const env = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, inPlace(value)]));
    const home = { HOME: mounts[0]?.outside ?? folder, XDG_DATA_HOME: join(context.volumes, "caddy-data") };
    const words = [...(image?.entrypoint ?? []), ...command].map(inPlace);
    return {
      name,
      command: name === "redis" ? words.map((word) => word.replace(/^exec redis-server/, `$& --port ${port}`)) : words,
      cwd: image === undefined ? repository : join(image.root, image.workdir),
      env: { PATH: `${folder}:${process.env.PATH}`, ...(image === undefined ? home : {}), ...env, PORT: port },
      user: image?.user ?? "",
      healthcheck: service.healthcheck?.disable === true ? undefined : healthcheckOf(service, image, port),
    };
  };
}

function healthcheckOf(service: ComposeService, image: Image | undefined, port: string): string[] | undefined {
  const [kind, ...words] = service.healthcheck?.test ?? [];
  if (kind !== undefined) return words[0] === "redis-cli" ? ["redis-cli", "-p", port, ...words.slice(1)] : words;
  return image === undefined ? undefined : [...image.healthcheck];
}

/** `./Caddyfile:/etc/caddy/Caddyfile:ro` is a file of the repository, `files:/data` a volume. */
function mountsOf({ volumes }: ComposeService, folder: string): { inside: string; outside: string }[] {
  return volumes.map((mount) => {
    const [source = "", inside = ""] = mount.split(":");
    return { inside, outside: source.startsWith(".") ? join(repository, "docker", source) : join(folder, source) };
  });
}

/** Sorts services after their dependencies; excludes tools, which run on demand. */
function inOrder({ services }: ComposeFile): string[] {
  const order: string[] = [];
  const visit = (name: string): void => {
    if (order.includes(name)) return;
    const needs = Object.keys(services[name]?.depends_on ?? {});
    for (const need of needs) visit(need);
    order.push(name);
  };
  for (const [name, { profiles }] of Object.entries(services)) if (profiles.length === 0) visit(name);
  return order;
}
