import { ServiceError } from "@kb/core";
import type { Logger } from "@kb/http";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { Redis } from "ioredis";
import { z } from "zod";
import { type Backplane, limits, type SessionRecord, type Signal } from "./backplane.ts";
import { redisSignals } from "./redis-signals.ts";

const Record = z.object({
  principal: z.string(),
  app: z.string().optional(),
  startedAt: z.number(),
  initialize: z.unknown(),
});
const RequestIds = z.array(z.union([z.string(), z.number()]));

/** Above the limit, ends the sessions of a principal that were used least recently, and tells which. */
const createScript = `
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[4])
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", ARGV[3] - ARGV[4])
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[4])
return redis.call("ZRANGE", KEYS[2], 0, -1 - tonumber(ARGV[5]))
`;

/**
 * Wakes nobody where nobody tails: most answers go out on the connection that asked. With the last answer the lease goes
 * back in the same round trip.
 */
const appendScript = `
local place = redis.call("XADD", KEYS[1], "MAXLEN", "~", ARGV[2], "*", "m", ARGV[1])
redis.call("PEXPIRE", KEYS[1], ARGV[3])
if ARGV[6] == "1" then
  redis.call("DEL", KEYS[3])
  redis.call("PEXPIRE", KEYS[4], ARGV[3])
end
if redis.call("EXISTS", KEYS[2]) == 1 then redis.call("PUBLISH", ARGV[4], ARGV[5]) end
return place
`;

/** The key of a session, or of a part of it. */
const key = (session: string, ...parts: string[]): string => ["kb:mcp", session, ...parts].join(":");
const sessionsOf = (principal: string): string => `kb:mcp:of:${principal}`;

/** Whether it was asked of the same session within the last minute. */
function withinAMinute(): (session: string) => boolean {
  const asked = new Map<string, number>();
  return (session) => {
    const now = Date.now();
    if (now - (asked.get(session) ?? 0) < 60_000) return true;
    if (asked.size > 10_000) asked.clear();
    asked.set(session, now);
    return false;
  };
}

/** Sessions that all instances share. `redis` fails at once while Redis is away. */
export function redisBackplane(redis: Redis, logger: Logger): Backplane {
  const signals = redisSignals(redis, logger);
  const touchedLately = withinAMinute();
  const publish = (signal: Signal): Promise<unknown> => redis.publish(signals.channel, JSON.stringify(signal));
  const drop = async (session: string): Promise<void> => {
    await redis.del(key(session), key(session, "uris"));
    await publish({ kind: "closed", session });
  };
  return guarded({
    async create(session, record) {
      const { sessionMs, sessionsEach } = limits;
      const keys = [key(session), sessionsOf(record.principal)];
      const values = [session, JSON.stringify(record), Date.now(), sessionMs, sessionsEach];
      const surplus = await redis.eval(createScript, keys.length, ...keys, ...values);
      for (const id of z.array(z.string()).parse(surplus)) {
        await redis.zrem(sessionsOf(record.principal), id);
        await drop(id);
      }
    },
    async load(session) {
      const text = await redis.getex(key(session), "PX", limits.sessionMs);
      if (text === null) return null;
      const record = recordOf(text);
      // Nothing waits for it: it only says, to the minute, which session is the least recently used one.
      if (touchedLately(session)) return record;
      redis
        .pipeline()
        .zadd(sessionsOf(record.principal), "XX", Date.now(), session)
        .pexpire(sessionsOf(record.principal), limits.sessionMs)
        .pexpire(key(session, "uris"), limits.sessionMs)
        .exec()
        .catch(() => {});
      return record;
    },
    drop,
    ...subscriptionsIn(redis),
    ...callsIn(redis),
    ...logsIn(redis, signals.channel),
    async tail(session, stream) {
      const counter = key(session, "tail", stream);
      const generation = await redis.incr(counter);
      await redis.pexpire(counter, limits.sessionMs);
      await publish({ kind: "tailed", session, stream, generation });
      return generation;
    },
    publish: async (signal) => void (await publish(signal)),
    listen: signals.listen,
    close: signals.close,
  });
}

function logsIn(redis: Redis, channel: string): Pick<Backplane, "append" | "read"> {
  return {
    async append(session, stream, message, last = false) {
      const { messagesEach, logMs, answeredLogMs } = limits;
      const wake = JSON.stringify({ kind: "appended", session, stream } satisfies Signal);
      const keys = ["log", "tail", "lease", "call"].map((part) => key(session, part, stream));
      const kept = last ? answeredLogMs : logMs;
      const values = [JSON.stringify(message), messagesEach, kept, channel, wake, last ? 1 : 0];
      return String(await redis.eval(appendScript, keys.length, ...keys, ...values));
    },
    async read(session, stream, after) {
      const entries = await redis.xrange(key(session, "log", stream), `(${after}`, "+");
      return entries.map(([place, [, text = ""]]) => ({ place, message: parseJSONRPCMessage(JSON.parse(text)) }));
    },
  };
}

function recordOf(text: string): SessionRecord {
  const { initialize, ...record } = Record.parse(JSON.parse(text));
  return { ...record, initialize: parseJSONRPCMessage(initialize) };
}

function subscriptionsIn(redis: Redis): Pick<Backplane, "subscribe" | "unsubscribe" | "subscriptions"> {
  return {
    async subscribe(session, uri) {
      const uris = key(session, "uris");
      if ((await redis.scard(uris)) >= limits.subscriptionsEach) return;
      await redis.pipeline().sadd(uris, uri).pexpire(uris, limits.sessionMs).exec();
    },
    unsubscribe: async (session, uri) => void (await redis.srem(key(session, "uris"), uri)),
    subscriptions: async (session) => new Set(await redis.smembers(key(session, "uris"))),
  };
}

function callsIn(redis: Redis): Pick<Backplane, "beginCall" | "renewCall" | "endCall" | "callOf"> {
  const { leaseMs, logMs, answeredLogMs } = limits;
  return {
    async beginCall(session, stream, requests) {
      const asked = JSON.stringify(requests);
      const commands = redis.pipeline().set(key(session, "call", stream), asked, "PX", logMs);
      await commands.set(key(session, "lease", stream), "1", "PX", leaseMs).exec();
    },
    renewCall: async (session, stream) => void (await redis.set(key(session, "lease", stream), "1", "PX", leaseMs)),
    async endCall(session, stream) {
      const commands = redis.pipeline().del(key(session, "lease", stream));
      for (const part of ["call", "log"]) commands.pexpire(key(session, part, stream), answeredLogMs);
      await commands.exec();
    },
    async callOf(session, stream) {
      const [asked, lease] = await redis.mget(key(session, "call", stream), key(session, "lease", stream));
      if (typeof asked !== "string") return null;
      return { requests: RequestIds.parse(JSON.parse(asked)), running: typeof lease === "string" };
    },
  };
}

/** Whatever fails in Redis is the same to a client: sessions are away for the moment. */
function guarded(backplane: Backplane): Backplane {
  return new Proxy(backplane, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function" || name === "listen" || name === "close") return method;
      return (...args: unknown[]): unknown => Promise.resolve(Reflect.apply(method, target, args)).catch(away);
    },
  });
}

function away(cause: unknown): never {
  throw new ServiceError("unavailable", "Sessions cannot be reached now. Try again shortly.", {
    retryAfterSeconds: 2,
    cause,
  });
}
