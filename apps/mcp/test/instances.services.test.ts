import { invoke, operations } from "@kb/core";
import { createWorld, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { freePort, type TestDatabase, testDatabase } from "@kb/db/testing";
import { type RedisServer, redisServer } from "@kb/runtime/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contentOf, currentClient, oldClient } from "./clients.ts";
import { commands, type Started, startProgram } from "./processes.ts";
import { type LoadBalancer, roundRobin } from "./round-robin.ts";
import { bearer, beginSession, letIn, ping, post } from "./world.ts";

let redis: RedisServer;
let test: TestDatabase;
let world: World;
let proxy: LoadBalancer;
let ports: number[];
const instances = new Map<number, Started>();
const clients: { close(): Promise<void> }[] = [];

/** Two instances in separate processes that share a database and Redis, behind one address. */
beforeAll(async () => {
  redis = await redisServer();
  test = await testDatabase();
  world = await createWorld(test.database);
  await letIn(world, true);
  ports = [await freePort(), await freePort()];
  proxy = await roundRobin(ports);
});

/** Starts the instances that the previous test has ended. */
beforeEach(async () => {
  proxy.forget();
  await Promise.all(
    ports.map(async (port) => {
      const { exitCode, signalCode } = instances.get(port)?.child ?? { exitCode: 0, signalCode: null };
      if (exitCode === null && signalCode === null) return;
      const environment = {
        DATABASE_URL: test.url,
        REDIS_URL: redis.url,
        APP_URL: proxy.url.origin,
        PORT: String(port),
        RATE_LIMIT_PER_MINUTE: "100000",
      };
      instances.set(port, await startProgram(await commands.mcp(), environment));
    }),
  );
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

afterAll(async () => {
  await proxy.close();
  await Promise.all([...instances.values()].map((instance) => instance.end("SIGKILL")));
  await test.drop();
  await redis.stop();
});

async function connect() {
  const connected = await oldClient(proxy.url, world.people.admin.key);
  clients.push(connected);
  return connected;
}

const change = (text: string) =>
  invoke(world.service, operations.updateDocument, world.people.admin.actor, { id: world.documents.guide.id, text });

/** Locks the guide, so that a change of it waits. Returns a function that releases it. */
async function holdGuide(): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const held = test.database.transaction(async (tx) => {
    const guide = sql`"teamId" = ${world.teamId}::uuid AND id = ${world.documents.guide.id}::uuid`;
    await tx.rows(sql`SELECT id FROM documents WHERE ${guide} FOR UPDATE`);
    locked.resolve();
    await holding.promise;
  });
  await Promise.race([locked.promise, held]);
  return () => {
    holding.resolve();
    return held;
  };
}

const waiting = sql`SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const someoneWaits = () =>
  expect
    .poll(async () => (await test.database.beforeTeam.rows<{ count: number }>(waiting))[0]?.count, { timeout: 5_000 })
    .toBe(1);

const updated = (): string => `notifications/resources/updated kb://documents/${world.documents.guide.id}`;

describe("two instances behind a load balancer", () => {
  it("any of them serves any request of a session, and of the revision without sessions", async () => {
    const { client } = await connect();
    const read = { name: "get_document", arguments: { id: world.documents.guide.id } };
    for (let count = 0; count < 4; count += 1)
      expect(contentOf(await client.callTool(read))).toMatchObject({ title: "Guide" });
    const modern = await currentClient(proxy.url, world.people.admin.key, { pin: "2026-07-28" });
    clients.push(modern);
    for (let count = 0; count < 4; count += 1)
      expect(contentOf(await modern.client.callTool(read))).toMatchObject({ title: "Guide" });
  });

  it("another credential's session is 404 on both, and a session that has ended too", async () => {
    const session = await beginSession(proxy.url, world.people.admin.key);
    const foreign = { ...session, ...bearer(world.people.editor.key) };
    for (const _ of instances) expect((await post(proxy.url, ping, foreign)).status).toBe(404);
    for (const _ of instances) expect((await post(proxy.url, ping, session)).status).toBe(200);
    expect((await fetch(proxy.url, { method: "DELETE", headers: session })).status).toBe(200);
    for (const _ of instances) expect((await post(proxy.url, ping, session)).status).toBe(404);
  });

  it("after kill -9 of the one that holds the stream, the client goes on at the other: a message raised meanwhile arrives once", async () => {
    const { client, heard } = await connect();
    await client.subscribeResource({ uri: `kb://documents/${world.documents.guide.id}` });
    await expect.poll(() => proxy.lastTo("GET")).not.toBe(0);
    await change("# Guide\n\nBefore.\n");
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual([updated()]);
    await instances.get(proxy.lastTo("GET"))?.end("SIGKILL");
    await change("# Guide\n\nMeanwhile.\n");
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([updated(), updated()]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await change("# Guide\n\nAfter.\n");
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual([updated(), updated(), updated()]);
    await new Promise((later) => setTimeout(later, 1_000));
    expect(heard).toHaveLength(3);
  }, 40_000);

  it("after kill -9 of the one that runs a call, the call gets an error that says what is unknown, and the next one works", async () => {
    const { client } = await connect();
    const { guide } = world.documents;
    const append = { name: "append_to_document", arguments: { id: guide.id, markdown: "Never written." } };
    const release = await holdGuide();
    const calling = client.callTool(append).then(
      () => "answered",
      (error: unknown) => String(error),
    );
    await someoneWaits();
    await instances.get(proxy.lastTo("POST"))?.end("SIGKILL");
    expect(await calling).toMatch(/stopped while it worked on this request.*Check before you try again/);
    await release();
    const read = await client.callTool({ name: "get_document", arguments: { id: guide.id } });
    expect(contentOf(read)).toMatchObject({ title: "Guide", markdown: expect.not.stringContaining("Never written") });
  }, 40_000);

  it("while Redis is away sessions are 503, and the revision without them goes on, changes included", async () => {
    const session = await beginSession(proxy.url, world.people.admin.key);
    const modern = await currentClient(proxy.url, world.people.admin.key, { pin: "2026-07-28" });
    clients.push(modern);
    await modern.client.listen({ resourceSubscriptions: [`kb://documents/${world.documents.guide.id}`] });
    await redis.stop();
    const answer = await post(proxy.url, ping, session);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 503,
      body: { code: "unavailable" },
    });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await modern.client.listTools()).tools.length).toBeGreaterThan(0);
    await change("# Guide\n\nWhile Redis was away.\n");
    await expect.poll(() => modern.heard, { timeout: 5_000 }).toEqual([updated()]);
    await redis.start();
    // Two requests reach both instances, and each finds Redis again by itself.
    const both = async () => [
      (await post(proxy.url, ping, session)).status,
      (await post(proxy.url, ping, session)).status,
    ];
    await expect.poll(both, { timeout: 20_000 }).not.toContain(503);
    expect((await post(proxy.url, ping, await beginSession(proxy.url, world.people.admin.key))).status).toBe(200);
  }, 40_000);

  it("SIGTERM ends open streams, and the process within five seconds", async () => {
    await connect();
    await expect.poll(() => proxy.lastTo("GET")).not.toBe(0);
    const elapsedMs = startStopwatch();
    expect(await instances.get(proxy.lastTo("GET"))?.end("SIGTERM")).toBe(0);
    expect(elapsedMs()).toBeLessThan(5_000);
  });

  it("SIGTERM waits for a call that runs, and its caller gets the answer", async () => {
    const { client } = await connect();
    const release = await holdGuide();
    const append = { name: "append_to_document", arguments: { id: world.documents.guide.id, markdown: "Kept." } };
    const calling = client.callTool(append);
    await someoneWaits();
    const port = proxy.lastTo("POST");
    const ending = instances.get(port)?.end("SIGTERM");
    const refused = () =>
      fetch(`http://127.0.0.1:${port}/api/health`).then(
        () => false,
        () => true,
      );
    await expect.poll(refused, { timeout: 5_000 }).toBe(true);
    await release();
    expect(contentOf(await calling)).toMatchObject({ revision: expect.any(Number) });
    expect(await ending).toBe(0);
  });
});
