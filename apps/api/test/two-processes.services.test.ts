import { createWorld, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { type RedisServer, redisServer } from "@kb/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startProcess } from "./service-process.ts";

const perMinute = 100;

describe("two processes of the API that share one Redis", () => {
  let base: TestDatabase;
  let world: World;
  let redis: RedisServer;
  let processes: ServiceProcess[];
  beforeAll(async () => {
    [base, redis] = await Promise.all([testDatabase(), redisServer()]);
    world = await createWorld(base.database);
    const environment = {
      DATABASE_URL: base.url,
      REDIS_URL: redis.url,
      APP_URL: "http://localhost:3000",
      PORT: "0",
      APP_SECRET: "5f0c9d1be7a34286a9b1c7d20e4f68135f0c9d1b",
      RATE_LIMIT_PER_MINUTE: String(perMinute),
      TRUSTED_PROXIES: "192.0.2.1",
    };
    processes = await Promise.all([startProcess(environment), startProcess(environment)]);
    // Somebody else warms them up: as many connections to PostgreSQL as are needed are open, the code is compiled.
    const headers = { Authorization: `Bearer ${world.people.viewer.key}` };
    const asked = processes.flatMap(({ url }) =>
      Array.from({ length: 20 }, () => fetch(`${url}/api/v1/me`, { headers })),
    );
    for (const answer of await Promise.all(asked)) await answer.arrayBuffer();
  });
  afterAll(async () => {
    await Promise.all((processes ?? []).map(({ end }) => end("SIGTERM")));
    await redis?.stop();
    await base?.drop();
  });

  /** Sends requests to each process in turn, forty at a time; returns the number of answers by status. */
  async function storm(count: number, headersOf: (index: number) => Record<string, string>) {
    const statuses: number[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        const index = next;
        next += 1;
        const { url } = processes[index % processes.length] ?? { url: "" };
        const answer = await fetch(`${url}/api/v1/me`, { headers: headersOf(index) });
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
    };
    await Promise.all(Array.from({ length: 40 }, worker));
    // Had Redis or PostgreSQL not answered in time, the processes would have said so.
    for (const { output } of processes) {
      expect(/[^\n]*(Redis does not answer|"level":50)[^\n]*/.exec(output())?.[0]).toBeUndefined();
    }
    return Object.fromEntries(
      [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
    );
  }

  it("exactly 100 of 500 concurrent requests of one user, with two keys, are allowed", {
    timeout: 60_000,
    meta: { proves: ["limits.request-rate", "decision.access.rate-limit", "decision.access.rate-limit-redis"] },
  }, async () => {
    const { member } = world.people;
    const other = await world.key(member, ["read"]);
    const credentials = [{ Authorization: `Bearer ${member.key}` }, { Authorization: `Bearer ${other}` }];
    const counted = await storm(500, (index) => ({ ...credentials[index % credentials.length] }));
    expect(counted).toEqual({ 200: perMinute, 429: 500 - perMinute });
  });

  it("exactly 100 of 500 unauthenticated requests are processed, with any X-Forwarded-For", {
    timeout: 60_000,
    meta: { proves: ["decision.access.trusted-proxies", "limits.request-rate"] },
  }, async () => {
    const counted = await storm(500, (index) => ({
      "X-Forwarded-For": `198.51.100.${index % 250}, 192.0.2.1`,
      "X-Real-IP": `198.51.100.${index % 250}`,
      Forwarded: `for=198.51.100.${index % 250}`,
    }));
    expect(counted).toEqual({ 401: perMinute, 429: 500 - perMinute });
  });
});
