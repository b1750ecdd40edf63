import { callerKinds, kindOf, ServiceError } from "@kb/core";
import type { Allowance, Limiter, Verdict } from "@kb/runtime";
import { type ClientIp, clientNetwork } from "./client-ip.ts";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import type { RequestLimits } from "./request-limits.ts";

const windowMs = 60_000;

/** A person who types sends a few batches in a second. They have a window of their own, so that typing blocks nothing else. */
const liveEditing = "/api/live.";
const livePerMinute = 600;
/** A page opens a document and its stream once, and again where the connection was lost. */
const openings: ReadonlySet<string> = new Set(["/api/live.open", "/api/live.stream"]);
const openingsPerMinute = 60;
/** Carets move more often than text changes. */
const presence = "/api/live.presence";
const presencePerMinute = 1_200;

/** Options of the rate limit: where requests are counted, and the limits. */
export type RateLimitOptions = RequestLimits & {
  readonly limiter: Limiter;
  readonly clientIp: ClientIp;
};

/** A window of requests: who shares it, and how many it holds a minute. */
type RequestWindow = Pick<Allowance, "key" | "limit" | "budget">;

/**
 * Returns the window of a request: a user's keys and apps share one, their browser sessions another; each channel token has
 * its own, and so has each address that sends no valid credential. Live editing has some of its own for each user.
 */
function windowOf(context: EdgeContext, { perMinute, sessionPerMinute, clientIp }: RateLimitOptions): RequestWindow {
  const caller = context.get("caller");
  if (caller === undefined) return { key: `ip:${clientNetwork(clientIp(context))}`, limit: perMinute };
  const kind = kindOf(caller);
  const subject = callerKinds[kind].subject(caller);
  const { path } = context.req;
  if (path === presence) return { key: `presence:${kind}:${subject}`, limit: presencePerMinute };
  if (openings.has(path)) return { key: `${path}:${kind}:${subject}`, limit: openingsPerMinute };
  if (path.startsWith(liveEditing)) return { key: `live:${kind}:${subject}`, limit: livePerMinute };
  if (caller.credential.kind === "session") return { key: `session:${subject}`, limit: sessionPerMinute ?? perMinute };
  return { key: `${kind}:${subject}`, limit: perMinute };
}

/** Where the costs of requests are counted, and their limits. */
export type BudgetOptions = Pick<RateLimitOptions, "limiter" | "budget">;

/** Returns the budget of a known caller; all credentials of a user share one. */
export function budgetOf(context: EdgeContext, { budget }: BudgetOptions): Allowance["budget"] {
  const caller = context.get("caller");
  if (caller === undefined || budget === undefined) return undefined;
  const kind = kindOf(caller);
  return { key: `cost:${kind}:${callerKinds[kind].subject(caller)}`, limits: [budget.cpuMs, budget.bytes] };
}

/** The costs, in the order of the limits of a budget. */
const costNames = ["processor time", "bytes"];

/**
 * Limits requests per caller that `identify` found, otherwise per client address.
 * `X-RateLimit-Reset` is the Unix time in seconds at which the oldest counted request leaves the window.
 * @throws {ServiceError} `rate_limited`.
 */
export function rateLimit(options: RateLimitOptions): EdgeMiddleware {
  return async (context, next) => {
    await countRequests(context, options);
    await next();
  };
}

/**
 * Limits the requests of a client address for pages outside of `/api`, apart from its other windows.
 * @throws {ServiceError} `rate_limited`.
 */
export function limitPages(options: Omit<RateLimitOptions, "perMinute">): EdgeMiddleware {
  const { limiter, clientIp, pagesPerMinute } = options;
  return async (context, next) => {
    if (pagesPerMinute !== undefined) {
      const key = `page:${clientNetwork(clientIp(context))}`;
      await takeFrom(context, limiter, { key, limit: pagesPerMinute }, 1);
    }
    await next();
  };
}

/**
 * Refuses a known caller who has used up the budget of a minute. It counts no request: the pages of an address are counted before
 * anybody knows the caller.
 * @throws {ServiceError} `rate_limited`.
 */
export function requireBudget(options: BudgetOptions): EdgeMiddleware {
  return async (context, next) => {
    const budget = budgetOf(context, options);
    if (budget !== undefined) {
      const verdict = await options.limiter.take({ key: budget.key, limit: 0, windowMs, count: 0, budget });
      if (!verdict.allowed) throw refusal(verdict, 0);
    }
    await next();
  };
}

/**
 * Counts a request. An edge whose requests carry several calls counts the others at once: all of them or none.
 * @throws {ServiceError} `rate_limited`.
 */
export async function countRequests(context: EdgeContext, options: RateLimitOptions, count = 1): Promise<void> {
  const window = { ...windowOf(context, options), budget: budgetOf(context, options) };
  await takeFrom(context, options.limiter, window, count);
}

async function takeFrom(context: EdgeContext, limiter: Limiter, window: RequestWindow, count: number): Promise<void> {
  const { limit } = window;
  const verdict = await limiter.take({ ...window, windowMs, count });
  const { allowed, remaining, resetMs, exhausted } = verdict;
  const left = exhausted === undefined ? Math.max(0, remaining) : 0;
  context.set("allowance", { limit, remaining: left });
  context.header("X-RateLimit-Limit", String(limit));
  context.header("X-RateLimit-Remaining", String(left));
  context.header("X-RateLimit-Reset", String(Math.ceil((Date.now() + resetMs) / 1000)));
  if (!allowed) throw refusal(verdict, limit);
}

function refusal({ resetMs, exhausted }: Verdict, limit: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  const message =
    exhausted === undefined
      ? `Too many requests: ${limit} a minute are allowed.`
      : `Your requests of the last minute have used up your budget of ${costNames[exhausted]}. Wait, then send less at once.`;
  return new ServiceError("rate_limited", message, { retryAfterSeconds });
}
