import { endGrant } from "@kb/core";
import { connectApp, createWorld, testSecret, type World } from "@kb/core/testing";
import { freePort, type TestDatabase, testDatabase } from "@kb/db/testing";
import { type RedisServer, redisServer } from "@kb/runtime/testing";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands, type Started, startProgram } from "./processes.ts";
import { bearer, beginSession, letIn, ping, post } from "./world.ts";

let redis: RedisServer;
let test: TestDatabase;
let world: World;
let urls: URL[];
const instances: Started[] = [];

/** Two instances in separate processes that share a database and Redis. The first one's address is public. */
beforeAll(async () => {
  [redis, test] = await Promise.all([redisServer(), testDatabase()]);
  const ports = [await freePort(), await freePort()];
  urls = ports.map((port) => new URL(`http://localhost:${port}/api/mcp`));
  world = await createWorld(test.database, { appUrl: `http://localhost:${ports[0]}` });
  await letIn(world, true);
  const shared = {
    DATABASE_URL: test.url,
    REDIS_URL: redis.url,
    APP_URL: world.service.appUrl,
    APP_SECRET: testSecret,
  };
  for (const port of ports) instances.push(await startProgram(await commands.mcp(), { ...shared, PORT: String(port) }));
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.end("SIGKILL")));
  await Promise.all([test.drop(), redis.stop()]);
});

const revoke = (grantId: string): Promise<boolean> =>
  test.database.transaction((tx) =>
    endGrant(tx, { teamId: world.teamId, grantId, reason: "token_revoked", now: new Date() }),
  );

/** The response of every address. */
async function expectEverywhere(status: number, headers: Record<string, string>): Promise<void> {
  for (const url of urls) expect((await post(url, ping, headers)).status).toBe(status);
}

const at = (index: number): URL => {
  const url = urls[index];
  if (url === undefined) throw new Error("no such instance");
  return url;
};
const first = (): URL => at(0);
const second = (): URL => at(1);

describe("an access token on two processes with Redis", () => {
  it("its session is served by both, with another grant of the same app too, and by no other app's", {
    meta: { proves: ["decision.oauth.step-up"] },
  }, async () => {
    const app = await connectApp(world, world.people.editor, { scopes: ["read"] });
    const session = await beginSession(first(), app.accessToken);
    await expectEverywhere(200, session);
    const more = await connectApp(world, world.people.editor, { clientId: app.clientId });
    await expectEverywhere(200, { ...session, ...bearer(more.accessToken) });
    const other = await connectApp(world, world.people.editor);
    await expectEverywhere(404, { ...session, ...bearer(other.accessToken) });
  });

  it("when its grant ends both refuse the next request, and streams on both end within a second", {
    meta: { proves: ["decision.oauth.ends"] },
  }, async () => {
    const app = await connectApp(world, world.people.editor);
    const streams = [];
    for (const url of [first(), second()]) {
      // Each opens its own session, because the newest stream of a session ends the others.
      const session = await beginSession(second(), app.accessToken);
      streams.push(await fetch(url, { headers: session }));
    }
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const ended = Promise.all(streams.map((stream) => stream.text()));
    const elapsedMs = startStopwatch();
    await revoke(app.grantId);
    await expectEverywhere(401, bearer(app.accessToken));
    await ended;
    expect(elapsedMs()).toBeLessThan(1_500);
  });

  it("after kill -9 of the one that holds the stream it goes on at the other, until its grant ends", {
    meta: { proves: ["decision.oauth.ends"] },
  }, async () => {
    const app = await connectApp(world, world.people.editor);
    const session = await beginSession(first(), app.accessToken);
    const lost = await fetch(first(), { headers: session });
    const cut = lost.text().then(
      () => "ended",
      () => "cut",
    );
    await instances[0]?.end("SIGKILL");
    await cut;
    const stream = await fetch(second(), { headers: session });
    expect(stream.status).toBe(200);
    expect((await post(second(), ping, session)).status).toBe(200);
    const ended = stream.text();
    const elapsedMs = startStopwatch();
    await revoke(app.grantId);
    await ended;
    expect(elapsedMs()).toBeLessThan(1_500);
    expect((await post(second(), ping, session)).status).toBe(401);
  });
});
