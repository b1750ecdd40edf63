import { once } from "node:events";
import { connectRedis, createLogger } from "@kb/runtime";
import { type RedisServer, redisServer } from "@kb/runtime/testing";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../src/sessions/backplane.ts";
import { redisBackplane } from "../src/sessions/redis.ts";

let server: RedisServer;
let redis: Redis;
let backplane: ReturnType<typeof redisBackplane>;

beforeAll(async () => {
  const logger = createLogger({ app: "mcp", level: "silent" });
  server = await redisServer();
  redis = await connectRedis(server.url, logger);
  await once(redis, "ready");
  backplane = redisBackplane(redis, logger);
});
afterAll(async () => {
  backplane.close();
  redis.disconnect();
  await server.stop();
});

const answer = (size: number) => ({ jsonrpc: "2.0" as const, id: 1, result: { text: "x".repeat(size) } });
const mostOfASession = limits.logBytesPerSession * 0.9;

describe("answer logs in Redis", () => {
  it("a session's log keeps at most 1 MB, all sessions of a key 4 MB, within the lifetime of a log", {
    meta: { proves: ["decision.mcp.log-bytes"] },
  }, async () => {
    const kept: boolean[] = [];
    for (const session of ["a", "b", "c", "d", "e"]) {
      const owner = { session, principal: "key:1" };
      kept.push((await backplane.append(owner, "1", answer(mostOfASession))) !== null);
      if (session === "a") kept.push((await backplane.append(owner, "2", answer(mostOfASession))) !== null);
    }
    expect(kept).toEqual([true, false, true, true, true, false]);
    for (const counter of ["kb:mcp:a:bytes", "kb:mcp:bytes-of:key:1", "kb:mcp:bytes"]) {
      expect(await redis.pttl(counter)).toBeGreaterThan(0);
    }
    expect(await backplane.read("e", "1", "0-0")).toEqual([]);
    expect(await backplane.read("d", "1", "0-0")).toHaveLength(1);
  });

  it("an answer to a read is kept only for a client that has resumed the stream, and its call ends either way", {
    meta: { proves: ["decision.mcp.reads-not-kept"] },
  }, async () => {
    const owner = { session: "f", principal: "key:2" };
    const last = { last: true, onlyIfTailed: true };
    await backplane.beginCall(owner, "1", [{ id: 1, isRead: true }]);
    expect(await backplane.append(owner, "1", answer(10), last)).toBeNull();
    expect(await backplane.findCall("f", "1")).toEqual({ requests: [{ id: 1, isRead: true }], running: false });
    await backplane.beginCall(owner, "2", [{ id: 1, isRead: true }]);
    await backplane.tail("f", "2");
    expect(await backplane.append(owner, "2", answer(10), last)).not.toBeNull();
    expect(await backplane.read("f", "2", "0-0")).toHaveLength(1);
  });
});
