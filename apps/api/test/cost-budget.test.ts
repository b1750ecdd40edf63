import type { Credential, Person } from "@kb/core/testing";
import { serve } from "@kb/http";
import { createLifecycle, processLimiter, type RunningServer } from "@kb/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appOf, openSetting, type Setting } from "./setting.ts";

/** Far above the cost of any test. */
const unlimited = 1_000_000_000;
/** Ten requests at most, so that those do not use up a budget themselves. */
const few = { interval: 500, timeout: 4_500 };

describe("the budget of a user", () => {
  let setting: Setting;
  const running: RunningServer[] = [];
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(async () => {
    await Promise.all(running.map((server) => server.close()));
    await setting.close();
  });

  type Sender = (
    who: Person | Credential,
    method: string,
    path: string,
    json?: object,
    isChunked?: boolean,
  ) => Promise<Response>;

  /** Serves the API with a budget on a port, because only a socket shows how many bytes were sent. */
  async function serveWith(budget: { cpuMs: number; bytes: number }): Promise<Sender> {
    const lifecycle = createLifecycle();
    // Its clock stands still: on a busy machine, a cost would leave the window of a minute while a test sends requests.
    const limiter = processLimiter({ now: () => 0 });
    const { fetch: answer } = appOf(setting.world.service, { budget, lifecycle, limiter });
    const server = await serve({ fetch: answer, hostname: "127.0.0.1", port: 0, lifecycle, drainMs: 1_000 });
    running.push(server);
    return async (who, method, path, json, isChunked = false) => {
      const credential: Record<string, string> =
        who !== null && typeof who === "object" && "key" in who
          ? { Authorization: `Bearer ${who.key}` }
          : { Cookie: typeof who === "object" && who !== null ? who.cookie : "" };
      const headers = { ...credential, "Content-Type": "application/json" };
      const text = JSON.stringify(json);
      const chunked = { body: new Blob([text ?? ""]).stream(), duplex: "half" as const };
      const body = json === undefined ? {} : isChunked ? chunked : { body: text };
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, ...body });
      await response.clone().arrayBuffer();
      return response;
    };
  }

  async function expectExhausted(response: Response, name: string): Promise<void> {
    const { headers } = response;
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      error: expect.stringContaining(name),
      code: "rate_limited",
      retryAfterSeconds: Number(headers.get("Retry-After")),
    });
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(headers.get("X-RateLimit-Limit")).toMatch(/^\d+$/);
    expect(headers.get("X-RateLimit-Remaining")).toBe("0");
    expect(headers.get("X-RateLimit-Reset")).toMatch(/^\d+$/);
  }

  it("of bytes: with all their credentials, and nobody else's", {
    meta: { proves: ["decision.access.cost-budget", "errors.rate-limit.headers"] },
  }, async () => {
    const send = await serveWith({ cpuMs: unlimited, bytes: 200_000 });
    const { editor, member } = setting.world.people;
    const text = "A sentence of a long page. ".repeat(4_000);
    const json = { collectionId: setting.world.collections.open, text, publish: true };
    const created = await send(editor, "POST", "/api/v1/documents", json);
    const { id } = (await created.json()).data;
    const path = `/api/v1/documents/${id}`;
    await expect.poll(async () => (await send(editor, "GET", path)).status).toBe(429);
    await expectExhausted(await send(editor, "GET", path), "budget of bytes");
    await expectExhausted(await send(await setting.world.session(editor), "GET", "/api/v1/me"), "budget of bytes");
    expect((await send(member, "GET", path)).status).toBe(200);
  });

  it("of bytes: a body in chunks counts what was read of it", {
    meta: { proves: ["decision.access.cost-budget"] },
  }, async () => {
    const send = await serveWith({ cpuMs: unlimited, bytes: 200_000 });
    const { editor } = setting.world.people;
    // Refused for its field, so that neither the answer nor the document is long.
    const json = { unknown: "x".repeat(150_000) };
    for (let n = 0; n < 2; n += 1) {
      expect((await send(editor, "POST", "/api/v1/documents", json, true)).status).toBe(400);
    }
    await expect.poll(async () => (await send(editor, "GET", "/api/v1/me")).status, few).toBe(429);
  });

  it("of bytes: an export counts", { meta: { proves: ["decision.access.cost-budget"] } }, async () => {
    const { admin } = setting.world.people;
    const collectionId = setting.world.collections.open;
    // Random, so that the archive is as long as the text.
    const text = Array.from({ length: 20_000 }, () => Math.random().toString(36).slice(2)).join(" ");
    const prepare = await serveWith({ cpuMs: unlimited, bytes: unlimited });
    expect((await prepare(admin, "POST", "/api/v1/documents", { collectionId, text, publish: true })).status).toBe(201);
    const send = await serveWith({ cpuMs: unlimited, bytes: 60_000 });
    const path = `/api/v1/collections.export?id=${collectionId}`;
    for (let n = 0; n < 2; n += 1) expect((await send(admin, "GET", path)).status).toBe(200);
    await expect.poll(async () => (await send(admin, "GET", "/api/v1/me")).status, few).toBe(429);
  });

  it("of processor time: rows that are made while the answer is sent count", {
    meta: { proves: ["decision.access.cost-budget"] },
  }, async () => {
    const { admin } = setting.world.people;
    const collectionId = setting.world.collections.open;
    const text = "- **a** [b](c)\n".repeat(8_000);
    const prepare = await serveWith({ cpuMs: unlimited, bytes: unlimited });
    expect((await prepare(admin, "POST", "/api/v1/documents", { collectionId, text, publish: true })).status).toBe(201);
    const send = await serveWith({ cpuMs: 40, bytes: unlimited });
    const path = `/api/v1/collections.export?id=${collectionId}&format=html`;
    for (let n = 0; n < 2; n += 1) expect((await send(admin, "GET", path)).status).toBe(200);
    await expect.poll(async () => (await send(admin, "GET", "/api/v1/me")).status, few).toBe(429);
  });

  it("of processor time, that of threads included", { meta: { proves: ["decision.access.cost-budget"] } }, async () => {
    const send = await serveWith({ cpuMs: 40, bytes: unlimited });
    const { admin } = setting.world.people;
    const json = { collectionId: setting.world.collections.open, text: "- **a** [b](c)\n".repeat(8_000) };
    // Neither of the two alone uses up the budget.
    for (let n = 0; n < 2; n += 1) expect((await send(admin, "POST", "/api/v1/documents", json)).status).toBe(201);
    await expect.poll(async () => (await send(admin, "GET", "/api/v1/me")).status, few).toBe(429);
    await expectExhausted(await send(admin, "GET", "/api/v1/me"), "budget of processor time");
  });
});
