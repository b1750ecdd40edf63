import { afterEach, describe, expect, it } from "vitest";
import { healthListener } from "./health-listener.ts";
import { createLifecycle } from "./lifecycle.ts";
import { type RunningServer, startServer } from "./start-server.ts";

const started: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.close()));
});

/** Starts a server of health checks; the database answers until `fail` is set. */
async function start() {
  const state = { fail: false };
  const ping = async () => {
    if (state.fail) throw new Error("ECONNREFUSED 10.0.0.7");
  };
  const lifecycle = createLifecycle();
  const listener = healthListener({ database: { ping }, lifecycle, version: "1.2.3" });
  const running = await startServer({ listener, hostname: "127.0.0.1", port: 0, lifecycle });
  started.push(running);
  return { state, lifecycle, url: `http://127.0.0.1:${running.port}` };
}

async function read(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("the server of a process that only reports its health", () => {
  it("answers GET /api/health with the checks, 503 while a dependency is down", async () => {
    const { state, url } = await start();
    const healthy = await read(`${url}/api/health`);
    expect(healthy).toMatchObject({
      status: 200,
      body: { status: "ok", version: "1.2.3", checks: { database: "ok", redis: "off" } },
    });
    expect(healthy.headers.get("Cache-Control")).toBe("no-store");
    state.fail = true;
    const degraded = await read(`${url}/api/health`);
    expect(degraded).toMatchObject({ status: 503, body: { status: "degraded", checks: { database: "down" } } });
    expect(degraded.headers.get("Retry-After")).toBe("2");
  });

  it("answers ?live=1 and ?ready=1 without its dependencies", async () => {
    const { state, lifecycle, url } = await start();
    state.fail = true;
    expect((await read(`${url}/api/health?live=1`)).status).toBe(200);
    expect((await read(`${url}/api/health?ready=1`)).status).toBe(200);
    lifecycle.markUnready();
    expect((await read(`${url}/api/health?live=1`)).status).toBe(200);
    expect(await read(`${url}/api/health?ready=1`)).toMatchObject({ status: 503, body: { status: "degraded" } });
  });

  it("answers everything else with 404 and the error body", async () => {
    const { url } = await start();
    const error = { error: "Route not found", code: "not_found" };
    expect(await read(url)).toMatchObject({ status: 404, body: error });
    expect(await read(`${url}/api/health/more`)).toMatchObject({ status: 404, body: error });
    expect(await read(`${url}/api/health`, { method: "POST" })).toMatchObject({ status: 404, body: error });
  });
});
