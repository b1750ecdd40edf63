import { createLifecycle, type HealthOptions } from "@kb/runtime";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { Hono } from "hono";
import { describe, expect, it, vi } from "vitest";
import type { Edge } from "./edge.ts";
import { health } from "./health.ts";

const up = { ping: async () => undefined };
const upRedis = { ping: async () => "PONG" as const };
const down = {
  ping: async () => {
    throw new Error("ECONNREFUSED 10.0.0.7");
  },
};
const hanging = { ping: () => new Promise<never>(() => {}) };

async function ask(options: Partial<HealthOptions>, query = ""): Promise<{ status: number; body: unknown }> {
  const app = new Hono<Edge>();
  app.get("/api/health", health({ database: up, lifecycle: createLifecycle(), version: "1.2.3", ...options }));
  const response = await app.request(`/api/health${query}`);
  return { status: response.status, body: await response.json() };
}

describe("GET /api/health", () => {
  it("is 200 ok with the version and the checks", { meta: { proves: ["decision.api.health"] } }, async () => {
    expect(await ask({})).toEqual({
      status: 200,
      body: { status: "ok", version: "1.2.3", checks: { database: "ok", redis: "off" } },
    });
    expect((await ask({ redis: upRedis })).body).toMatchObject({ checks: { database: "ok", redis: "ok" } });
  });

  it("is 503 degraded while the database or Redis does not answer, and reveals nothing else", async () => {
    expect(await ask({ database: down })).toEqual({
      status: 503,
      body: { status: "degraded", version: "1.2.3", checks: { database: "down", redis: "off" } },
    });
    expect(await ask({ redis: down })).toMatchObject({
      status: 503,
      body: { checks: { database: "ok", redis: "down" } },
    });
  });

  it("names the state of each read replica, without which the process is healthy", async () => {
    const report = { host: "10.0.0.8:5432", lagMs: 0, problem: undefined };
    const replicas = () => [
      { ...report, state: "ok" as const },
      { ...report, state: "lagging" as const },
    ];
    expect(await ask({ database: { ...up, replicas } })).toEqual({
      status: 200,
      body: { status: "ok", version: "1.2.3", checks: { database: "ok", redis: "off", replicas: ["ok", "lagging"] } },
    });
  });

  it("is 503 while the store of attachments in a bucket does not work, and does not ask it for `live` and `ready`", async () => {
    const asked: string[] = [];
    const isWorking = async (): Promise<boolean> => asked.push("store") !== 1;
    const files = { store: { isWorking } };
    for (const query of ["?live=1", "?ready=1"]) expect((await ask({ files }, query)).status).toBe(200);
    expect(asked).toEqual([]);
    expect(await ask({ files })).toEqual({
      status: 503,
      body: { status: "degraded", version: "1.2.3", checks: { database: "ok", redis: "off", files: "down" } },
    });
    expect(await ask({ files })).toMatchObject({ status: 200, body: { checks: { database: "ok", redis: "off" } } });
  });

  it("lets one request at a time write to a full store, and the next one some seconds later", {
    meta: { proves: ["decision.api.health-disk"] },
  }, async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const probes: PromiseWithResolvers<void>[] = [];
      const probeSpace = () => {
        const probe = Promise.withResolvers<void>();
        probes.push(probe);
        return probe.promise;
      };
      const files = { store: { isOutOfSpace: () => true, probeSpace } };
      const full = { status: 503, body: { checks: { disk: "full" } } };
      for (let count = 0; count < 5; count += 1) expect(await ask({ files })).toMatchObject(full);
      await vi.advanceTimersByTimeAsync(60_000);
      await ask({ files });
      expect(probes).toHaveLength(1);
      probes[0]?.reject(new Error("full"));
      await vi.advanceTimersByTimeAsync(2_000);
      await ask({ files });
      expect(probes).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1_000);
      await ask({ files });
      expect(probes).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it("waits for a dependency that hangs at most until its timeout", async () => {
    const elapsedMs = startStopwatch();
    expect((await ask({ database: hanging, redis: hanging, timeoutMs: 50 })).status).toBe(503);
    expect(elapsedMs()).toBeLessThan(1_000);
  });

  it("is 503 while the process stops", async () => {
    const lifecycle = createLifecycle();
    lifecycle.stop();
    expect(await ask({ lifecycle })).toMatchObject({ status: 503, body: { status: "degraded" } });
  });

  it("?live=1 answers without using any dependency", { meta: { proves: ["decision.api.health-live"] } }, async () => {
    const lifecycle = createLifecycle();
    lifecycle.stop();
    const touched = {
      ping: () => {
        throw new Error("touched");
      },
    };
    expect(await ask({ database: touched, redis: touched, lifecycle }, "?live=1")).toEqual({
      status: 200,
      body: { status: "ok", version: "1.2.3" },
    });
  });

  it("an unknown query parameter is 400 with its name", async () => {
    expect(await ask({}, "?deep=1")).toEqual({
      status: 400,
      body: {
        error: "deep: Unknown parameter",
        code: "validation_error",
        details: [{ path: "deep", message: "Unknown parameter" }],
      },
    });
  });

  it("?ready=1 is 503 only while the process stops, whatever its dependencies do", {
    meta: { proves: ["decision.api.health-ready"] },
  }, async () => {
    const lifecycle = createLifecycle();
    const away = { database: down, redis: down, lifecycle };
    expect(await ask(away, "?ready=1")).toEqual({ status: 200, body: { status: "ok", version: "1.2.3" } });
    lifecycle.markUnready();
    expect(await ask(away, "?ready=1")).toEqual({ status: 503, body: { status: "degraded", version: "1.2.3" } });
  });
});
