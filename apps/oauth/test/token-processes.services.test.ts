import { authenticateAccessToken } from "@kb/auth";
import { allowApp, connectApp, createWorld, testSecret, type World } from "@kb/core/testing";
import { sql } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { type RedisServer, redisServer } from "@kb/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Started, start } from "./process.ts";
import { type Answer, redeem, refresh, revoke } from "./tokens.ts";

let base: TestDatabase;
let redis: RedisServer;
let world: World;
const processes: Started[] = [];

/** Two instances, each a process of its own, that share a database and a Redis. */
beforeAll(async () => {
  [base, redis] = await Promise.all([testDatabase(), redisServer()]);
  world = await createWorld(base.database);
  await base.database.acrossTeams.execute(sql`UPDATE teams SET "mcpEnabled" = true`);
  for (let count = 0; count < 2; count += 1) processes.push(begin());
  await Promise.all(processes.map(({ listening }) => listening));
});
afterAll(async () => {
  for (const { child } of processes) child.kill("SIGKILL");
  await Promise.all(processes.map(({ exit }) => exit));
  await Promise.all([base.drop(), redis.stop()]);
});

const begin = (): Started =>
  start({
    DATABASE_URL: base.url,
    REDIS_URL: redis.url,
    APP_URL: "http://localhost:3000",
    PORT: "0",
    APP_SECRET: testSecret,
  });

/** One of them, as a client sees it. */
const at = (index: number) => ({
  request: async (path: unknown, init?: RequestInit): Promise<Response> => {
    const origin = await processes[index % processes.length]?.listening;
    return fetch(`${origin}${String(path)}`, init);
  },
});

const good = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 200);

function holderOf(token: unknown) {
  const { database, oauth, clock, appUrl } = world.service;
  const asked = { keys: oauth.keys, resource: `${appUrl}/api/mcp`, now: clock.now() };
  return authenticateAccessToken(database, String(token), asked);
}

describe("two processes that share a database and a Redis", () => {
  it("exactly one of 50 concurrent redemptions of a code succeeds, and the grant ends", {
    meta: { proves: ["decision.oauth.code"] },
  }, async () => {
    const app = await allowApp(world, world.people.editor);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => redeem(at(index), app)));
    expect(good(answers)).toHaveLength(1);
    expect(await holderOf(good(answers)[0]?.body.access_token)).toBeNull();
  });

  it("20 concurrent refreshes leave one valid successor", {
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connectApp(world, world.people.editor);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => refresh(at(index), app)));
    expect(new Set(good(answers).map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(good(answers)).toHaveLength(20);
  });

  it("a token that is revoked at one process is rejected at once by the other", {
    meta: { proves: ["decision.oauth.revocation"] },
  }, async () => {
    const app = await connectApp(world, world.people.editor);
    expect((await revoke(at(0), app.clientId, app.refreshToken)).status).toBe(200);
    expect((await refresh(at(1), app)).body.error).toBe("invalid_grant");
  });

  it("both together allow 60 requests a minute per client and address", {
    meta: { proves: ["decision.oauth.token-limits"] },
  }, async () => {
    const app = await allowApp(world, world.people.editor);
    const sent = Array.from({ length: 80 }, (_, index) => redeem(at(index), { ...app, code: "x" }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it("after kill -9 of a process during a refresh, the retry at the other leaves one valid successor", {
    timeout: 30_000,
    meta: { proves: ["decision.oauth.refresh"] },
  }, async () => {
    const app = await connectApp(world, world.people.editor);
    const { teamId } = world;
    const holding = Promise.withResolvers<void>();
    const grantHeld = Promise.withResolvers<void>();
    const held = base.database.transaction(async (tx) => {
      await tx.rows(sql`SELECT 1 FROM oauth_grants
        WHERE "teamId" = ${teamId}::uuid AND id = ${app.grantId}::uuid FOR UPDATE`);
      grantHeld.resolve();
      await holding.promise;
    });
    await grantHeld.promise;
    const lost = refresh(at(0), app).then(
      () => "answered",
      () => "lost",
    );
    const waiting = sql`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE '%oauth_grants%'`;
    await expect
      .poll(async () => (await base.database.beforeTeam.rows<{ count: number }>(waiting))[0]?.count, { timeout: 5_000 })
      .toBe(1);
    processes[0]?.child.kill("SIGKILL");
    expect(await lost).toBe("lost");
    holding.resolve();
    await held;
    const answer = await refresh(at(1), app);
    expect(answer.status).toBe(200);
    expect(await holderOf(answer.body.access_token)).not.toBeNull();
    const next = { ...app, refreshToken: String(answer.body.refresh_token) };
    expect((await refresh(at(1), next)).status).toBe(200);
    const where = { teamId, grantId: app.grantId, kind: "refresh", usedAt: null };
    expect(await base.database.client.oauthToken.count({ where })).toBe(1);
    processes[0] = begin();
    await processes[0].listening;
  });
});
