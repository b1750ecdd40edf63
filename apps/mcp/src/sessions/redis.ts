import { ServiceError } from "@kb/core";
import type { Logger } from "@kb/runtime";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { Redis } from "ioredis";
import { z } from "zod";
import { type Backplane, type CallRequest, limits, type SessionRecord, type Signal } from "./backplane.ts";
import { redisSignals } from "./redis-signals.ts";

const Record = z.object({
  principal: z.string(),
  app: z.string().optional(),
  startedAt: z.number(),
  initialize: z.unknown(),
});
const CallRequests = z.array(z.object({ id: z.union([z.string(), z.number()]), isRead: z.boolean() }));

/** Stores a session and returns the principal's least recently used sessions above the limit. */
const createScript = `
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[4])
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", ARGV[3] - ARGV[4])
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[4])
return redis.call("ZRANGE", KEYS[2], 0, -1 - tonumber(ARGV[5]))
`;

/**
 * Stores a message unless it needs a tail and there is none, or a window of bytes is full: KEYS 5 to 7 count what was stored
 * within the lifetime of a log. Publishes only if the stream has a tail, because most responses go out on the connection of
 * the request. The last response also releases the lease, in the same round trip.
 */
const appendScript = `
local tailed = redis.call("EXISTS", KEYS[2]) == 1
local kept = tailed or ARGV[7] == "0"
for index = 5, 7 do
  local used = tonumber(redis.call("GET", KEYS[index]) or "0")
  kept = kept and used + #ARGV[1] <= tonumber(ARGV[index + 4])
end
local place = false
if kept then
  place = redis.call("XADD", KEYS[1], "MAXLEN", "~", ARGV[2], "*", "m", ARGV[1])
  redis.call("PEXPIRE", KEYS[1], ARGV[3])
  for index = 5, 7 do
    if redis.call("INCRBY", KEYS[index], #ARGV[1]) == #ARGV[1] then redis.call("PEXPIRE", KEYS[index], ARGV[8]) end
  end
end
if ARGV[6] == "1" then
  redis.call("DEL", KEYS[3])
  redis.call("PEXPIRE", KEYS[4], ARGV[3])
end
if tailed then redis.call("PUBLISH", ARGV[4], ARGV[5]) end
return place
`;

/** Returns the key of a session, or of a part of it. */
const key = (session: string, ...parts: string[]): string => ["kb:mcp", session, ...parts].join(":");
const sessionsOf = (principal: string): string => `kb:mcp:of:${principal}`;

/** Returns a function that returns whether it was called for the same session within the last minute. */
function withinAMinute(): (session: string) => boolean {
  const lastCalls = new Map<string, number>();
  return (session) => {
    const now = Date.now();
    if (now - (lastCalls.get(session) ?? 0) < 60_000) return true;
    if (lastCalls.size > 10_000) lastCalls.clear();
    lastCalls.set(session, now);
    return false;
  };
}

/** Shares sessions between all instances. Requires a `redis` that fails at once while Redis cannot be reached. */
export function redisBackplane(redis: Redis, logger: Logger): Backplane {
  const signals = redisSignals(redis, logger);
  const wasTouchedRecently = withinAMinute();
  const publish = (signal: Signal): Promise<unknown> => redis.publish(signals.channel, JSON.stringify(signal));
  const drop = async (session: string): Promise<void> => {
    await redis.del(key(session), key(session, "uris"));
    await publish({ kind: "closed", session });
  };
  return guarded({
    async create(session, record) {
      const { sessionMs, sessionsPerPrincipal } = limits;
      const keys = [key(session), sessionsOf(record.principal)];
      const values = [session, JSON.stringify(record), Date.now(), sessionMs, sessionsPerPrincipal];
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
      // Not awaited: it only orders the sessions by last use, with a precision of one minute.
      if (wasTouchedRecently(session)) return record;
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
    async append({ session, principal }, stream, message, { last = false, onlyIfTailed = false } = {}) {
      const { messagesPerLog, logMs, answeredLogMs } = limits;
      const wake = JSON.stringify({ kind: "appended", session, stream } satisfies Signal);
      const counters = [key(session, "bytes"), `kb:mcp:bytes-of:${principal}`, "kb:mcp:bytes"];
      const keys = [...["log", "tail", "lease", "call"].map((part) => key(session, part, stream)), ...counters];
      const kept = last ? answeredLogMs : logMs;
      const flags = [last ? 1 : 0, onlyIfTailed ? 1 : 0];
      const bytes = [limits.logBytesPerSession, limits.logBytesPerPrincipal, limits.logBytes];
      const values = [JSON.stringify(message), messagesPerLog, kept, channel, wake, ...flags, logMs, ...bytes];
      const place = await redis.eval(appendScript, keys.length, ...keys, ...values);
      return place === null ? null : String(place);
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
      if ((await redis.scard(uris)) >= limits.subscriptionsPerSession) return;
      await redis.pipeline().sadd(uris, uri).pexpire(uris, limits.sessionMs).exec();
    },
    unsubscribe: async (session, uri) => void (await redis.srem(key(session, "uris"), uri)),
    subscriptions: async (session) => new Set(await redis.smembers(key(session, "uris"))),
  };
}

function callsIn(redis: Redis): Pick<Backplane, "beginCall" | "renewCall" | "endCall" | "findCall"> {
  const { leaseMs, logMs, answeredLogMs } = limits;
  return {
    async beginCall({ session }, stream, requests) {
      const text = JSON.stringify(requests satisfies readonly CallRequest[]);
      if (Buffer.byteLength(text) > limits.idBytesPerCall) return;
      const commands = redis.pipeline().set(key(session, "call", stream), text, "PX", logMs);
      await commands.set(key(session, "lease", stream), "1", "PX", leaseMs).exec();
    },
    renewCall: async (session, stream) => void (await redis.set(key(session, "lease", stream), "1", "PX", leaseMs)),
    async endCall(session, stream) {
      const commands = redis.pipeline().del(key(session, "lease", stream));
      for (const part of ["call", "log"]) commands.pexpire(key(session, part, stream), answeredLogMs);
      await commands.exec();
    },
    async findCall(session, stream) {
      const [requests, lease] = await redis.mget(key(session, "call", stream), key(session, "lease", stream));
      if (typeof requests !== "string") return null;
      return { requests: CallRequests.parse(JSON.parse(requests)), running: typeof lease === "string" };
    },
  };
}

/** Turns every failure of Redis into `unavailable`, because a client can only try again. */
function guarded(backplane: Backplane): Backplane {
  return new Proxy(backplane, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function" || name === "listen" || name === "close") return method;
      return (...args: unknown[]): unknown =>
        Promise.resolve(Reflect.apply(method, target, args)).catch(throwUnavailable);
    },
  });
}

function throwUnavailable(cause: unknown): never {
  throw new ServiceError("unavailable", "Sessions cannot be reached now. Try again shortly.", {
    retryAfterSeconds: 2,
    cause,
  });
}
