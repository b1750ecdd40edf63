import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { readScrape, startCollector } from "@kb/testing";
import { builtProgram } from "@kb/testing/built-program";
import { compileCache } from "@kb/testing/compile-cache";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const built = await builtProgram("api");

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

type Started = { child: ChildProcess; output(): string; exit: Promise<number | null>; url(): Promise<string> };

/** Starts the API as a process of its own, with only the given environment and the compile cache. */
function start(program: string, environment: Record<string, string>, cwd = root): Started {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [program], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let text = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
    const port = /"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  void exit.then(() => reject(new Error(`it ended: ${text}`)));
  promise.catch(() => {});
  return { child, exit, output: () => text, url: () => promise };
}

/** Copies the bundle to a folder of its own, where Node finds no other package than those beside it. */
async function deploy(): Promise<{ folder: string; program: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "kb-api-"));
  await cp(dirname(built), folder, { recursive: true });
  return { folder, program: join(folder, "main.js"), remove: () => rm(folder, { recursive: true }) };
}

async function servesAndStops(started: Started): Promise<void> {
  const health = await fetch(`${await started.url()}/api/health`);
  expect(await health.json()).toMatchObject({ status: "ok", checks: { database: "ok" } });
  const refused = await fetch(`${await started.url()}/api/v1/me`, { headers: { Authorization: "Bearer kb_x" } });
  expect(refused.status).toBe(401);
  started.child.kill("SIGTERM");
  expect(await started.exit).toBe(0);
  expect(started.output()).toContain('"message":"stopped"');
}

/** Runs before a program: says which modules of OpenTelemetry it loads, and how often it listens. */
const witness = `
  import { registerHooks } from "node:module";
  import { Server } from "node:net";
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier.startsWith("@opentelemetry")) console.error("LOADS " + specifier);
      return next(specifier, context);
    },
  });
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...where) {
    console.error("LISTENS");
    return listen.apply(this, where);
  };`;

describe("the API as a separate process", () => {
  const environment = () => ({
    DATABASE_URL: database.url,
    APP_URL: "http://localhost:3001",
    PORT: "0",
    APP_SECRET: "5f0c9d1be7a34286a9b1c7d20e4f68135f0c9d1b",
  });

  it("starts with only DATABASE_URL, APP_URL and APP_SECRET, and stops cleanly on SIGTERM", async () => {
    const started = start("src/main.ts", environment());
    await servesAndStops(started);
    expect(started.output()).toContain("ready http://localhost:3001");
  });

  it("its bundle runs with plain Node and the one native package beside it", async () => {
    const { folder, program, remove } = await deploy();
    try {
      await servesAndStops(start(program, environment(), folder));
    } finally {
      await remove();
    }
  }, 60_000);

  it("opens one port and loads no OpenTelemetry module without OTEL_* and METRICS_PORT", {
    timeout: 60_000,
    meta: { proves: ["decision.running.telemetry-off"] },
  }, async () => {
    const watched = { ...environment(), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(witness)}` };
    const off = start("src/main.ts", { ...watched, OTEL_SERVICE_NAME: "wiki" });
    await servesAndStops(off);
    expect(off.output().match(/^(LOADS|LISTENS).*$/gm)).toEqual(["LISTENS"]);
    const on = start("src/main.ts", { ...watched, METRICS_PORT: "0" });
    await servesAndStops(on);
    expect(on.output().match(/^LISTENS$/gm)).toHaveLength(2);
    expect(on.output()).toMatch(/^LOADS @opentelemetry/m);
  });

  it("its bundle exports telemetry if it is configured", {
    timeout: 60_000,
    meta: { proves: ["decision.running.metrics", "decision.running.traces"] },
  }, async () => {
    const [{ folder, program, remove }, collector] = await Promise.all([deploy(), startCollector()]);
    try {
      const asked = { METRICS_PORT: "0", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
      const protocol = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_SERVICE_NAME: "wiki-api" };
      const started = start(program, { ...environment(), ...asked, ...protocol }, folder);
      const url = await started.url();
      await (await fetch(`${url}/api/v1/me`)).text();
      const port = /"metricsPort":(\d+)/.exec(started.output())?.[1];
      const scrape = readScrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
      const refused = { http_route: "/api/v1/me", http_response_status_code: "401" };
      expect(scrape.sum("http_server_request_duration_seconds_count", refused)).toBe(1);
      // The batch is not sent for seconds yet: it is at the end.
      await servesAndStops(started);
      expect(collector.spans).toContainEqual(
        expect.objectContaining({ name: "GET /api/v1/me", service: "wiki-api", parentSpanId: "" }),
      );
      expect(collector.bodies.map(({ path }) => path)).toContain("/v1/metrics");
    } finally {
      await Promise.all([remove(), collector.close()]);
    }
  });

  it("reports in one line that the port of /metrics is in use or is the main port", {
    timeout: 60_000,
    meta: { proves: ["decision.running.metrics"] },
  }, async () => {
    const taken = new URL(database.url).port;
    const busy = start(built, { ...environment(), METRICS_PORT: taken });
    expect(await busy.exit).toBe(1);
    expect(busy.output()).toBe(
      `METRICS_HOST and METRICS_PORT: cannot listen on 127.0.0.1:${taken} (EADDRINUSE). Choose another port.\n`,
    );
    const same = start(built, { ...environment(), PORT: "3456", METRICS_PORT: "3456" });
    expect(await same.exit).toBe(1);
    expect(same.output()).toContain("  METRICS_PORT: must be another port than PORT");
  });

  it("reports all problems of its environment at once, without any value", async () => {
    const started = start(built, {
      DATABASE_URL: "mysql://kb:hunter2@db/kb",
      PORT: "x",
      RATE_LIMIT_PER_MINUTE: "0",
    });
    started.url().catch(() => {});
    expect(await started.exit).toBe(1);
    for (const name of ["APP_SECRET", "APP_URL", "DATABASE_URL", "PORT", "RATE_LIMIT_PER_MINUTE"]) {
      expect(started.output()).toContain(`  ${name}: `);
    }
    expect(started.output()).not.toContain("hunter2");
  });
});
