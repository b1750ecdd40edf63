import type { DocumentView } from "@kb/core";
import { connect, type Database } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import type { Failure, One, Reply } from "@kb/http/testing";
import { type FaultProxy, faultProxy } from "@kb/testing";
import { useEventLoopTime } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Setting, serveWorld } from "./setting.ts";

const serviceBackMs = 5_000;
const answerWithinMs = 4_000;

// The service's timers and these limits, on a machine that is as busy as it likes.
let restoreClock: () => void;
beforeAll(() => {
  restoreClock = useEventLoopTime();
});
afterAll(() => restoreClock());

describe("an unavailable database", () => {
  let target: TestDatabase;
  let proxy: FaultProxy;
  let database: Database;
  let setting: Omit<Setting, "close">;
  beforeAll(async () => {
    target = await testDatabase();
    proxy = await faultProxy(target.url);
    database = connect({ url: proxy.url, applicationName: "kb-outage" });
    setting = await serveWorld(database);
  });
  afterAll(async () => {
    await proxy.restore();
    await database.close();
    await proxy.close();
    await target.drop();
  });

  const requests = (): Promise<Reply<Failure>>[] => {
    const editor = setting.as(setting.world.people.editor);
    const { guide } = setting.world.documents;
    const { open } = setting.world.collections;
    return [
      editor.get("/api/v1/me"),
      editor.get("/api/v1/documents"),
      editor.get(`/api/v1/documents/${guide.id}`),
      editor.get("/api/v1/search?query=guide"),
      editor.post("/api/v1/documents", { collectionId: open, title: "In the outage" }),
      editor.patch(`/api/v1/documents/${guide.id}`, { title: "In the outage" }),
      editor.delete(`/api/v1/documents/${guide.id}`),
    ];
  };

  const timed = async <T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> => {
    const start = performance.now();
    return { value: await work, tookMs: performance.now() - start };
  };

  async function expectUnavailable(): Promise<void> {
    for (const { value, tookMs } of await Promise.all(requests().map(timed))) {
      expect(value).toMatchObject({ status: 503, body: { code: "unavailable" } });
      expect(Number(value.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(tookMs).toBeLessThan(answerWithinMs);
    }
    const { value: health, tookMs } = await timed(setting.as(null).get<object>("/api/health"));
    expect(health).toMatchObject({ status: 503, body: { status: "degraded", checks: { database: "down" } } });
    expect(tookMs).toBeLessThan(answerWithinMs);
    expect((await setting.as(null).get<object>("/api/health?live=1")).status).toBe(200);
  }

  /** Everything works again within five seconds, and stays so. */
  async function expectService(): Promise<void> {
    const editor = setting.as(setting.world.people.editor);
    const deadline = performance.now() + serviceBackMs;
    const create = () =>
      editor.post<One<DocumentView>>("/api/v1/documents", { collectionId: setting.world.collections.open });
    while ((await create()).status !== 201) expect(performance.now()).toBeLessThan(deadline);
    const replies = await Promise.all(Array.from({ length: 20 }, create));
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(201));
    const { body } = await editor.get<One<DocumentView>>(`/api/v1/documents/${setting.world.documents.guide.id}`);
    expect(body.data.title).toBe("Guide");
    expect((await setting.as(null).get<object>("/api/health")).status).toBe(200);
  }

  it("returns 503 with Retry-After while the server is down, and recovers with it", {
    meta: { proves: ["decision.api.code.unavailable", "decision.running.database-away", "decision.api.health"] },
  }, async () => {
    await proxy.cut();
    await expectUnavailable();
    await proxy.restore();
    await expectService();
  });

  it("returns 503 in time if the network fails silently, and recovers with it", {
    meta: { proves: ["decision.api.code.unavailable"] },
  }, async () => {
    proxy.pause();
    await expectUnavailable();
    await proxy.restore();
    await expectService();
  });

  it("returns 503, never 500, for requests that run when the server stops", {
    meta: { proves: ["decision.api.code.unavailable"] },
  }, async () => {
    proxy.delay(30);
    const underWay = requests();
    await new Promise((resolve) => setTimeout(resolve, 50));
    proxy.reset();
    for (const { status } of await Promise.all(underWay)) expect(status).toBeOneOf([200, 201, 503]);
    await proxy.restore();
    const editor = setting.as(setting.world.people.editor);
    await editor.post<object>(`/api/v1/documents/${setting.world.documents.guide.id}/restore`);
    await editor.patch<object>(`/api/v1/documents/${setting.world.documents.guide.id}`, { title: "Guide" });
    await expectService();
  });
});

describe("a pool without a free connection", () => {
  it("returns 503 with Retry-After in time and never hangs", {
    meta: { proves: ["decision.api.code.unavailable"] },
  }, async () => {
    // Other tests wait longer for a connection than the service does.
    const target = await testDatabase({ poolMax: 2, connectTimeoutMs: 3_000 });
    const setting = await serveWorld(target.database);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => target.database.transaction(() => held));
    try {
      const start = performance.now();
      const reply = await setting.as(setting.world.people.editor).get("/api/v1/documents");
      expect(reply).toMatchObject({ status: 503, body: { code: "unavailable" } });
      expect(reply.headers.get("Retry-After")).toMatch(/^\d+$/);
      expect(performance.now() - start).toBeLessThan(answerWithinMs);
    } finally {
      release();
      await Promise.all(holders);
    }
    expect((await setting.as(setting.world.people.editor).get<object>("/api/v1/documents")).status).toBe(200);
    await target.drop();
  });
});
