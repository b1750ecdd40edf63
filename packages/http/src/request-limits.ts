/** The limits of requests. */
export type RequestLimits = {
  /** Requests per minute of a user's keys and apps together, of a channel token, and of an address without a credential. */
  readonly perMinute: number;
  /** Requests per minute of a user's browser sessions together. Default: `perMinute`. */
  readonly sessionPerMinute?: number | undefined;
  /** Requests per minute of an address for pages outside of `/api`. Default: unlimited. */
  readonly pagesPerMinute?: number | undefined;
  /** Limits the cost of the requests of a user or a channel token per minute. Default: unlimited. */
  readonly budget?: CostBudget | undefined;
};

/** The cost of the requests of a minute. */
export type CostBudget = {
  /** Processor time of the service, including its threads, and the time for which PostgreSQL works, in milliseconds. */
  readonly cpuMs: number;
  /** Bytes of requests and answers. */
  readonly bytes: number;
};

/**
 * The budget for each request of `perMinute`. With the default limits it is ten times the cost of the busiest user in the
 * load benchmark, who uses both windows in full: 700 requests a minute, of 1.4 ms and 108 kB each (docs/performance.md).
 */
const budgetPerRequest: CostBudget = { cpuMs: 100, bytes: 7_000_000 };

/** The variables of the limits: `RateLimitVariables`. */
type RateLimitEnvironment = {
  readonly RATE_LIMIT_PER_MINUTE: number;
  readonly RATE_LIMIT_SESSION_PER_MINUTE: number;
  readonly RATE_LIMIT_PAGES_PER_MINUTE: number;
  readonly RATE_LIMIT_CPU_MS_PER_MINUTE?: number | undefined;
  readonly RATE_LIMIT_BYTES_PER_MINUTE?: number | undefined;
};

/** Returns the limits that the environment sets. */
export function requestLimits(env: RateLimitEnvironment): Required<RequestLimits> {
  const perMinute = env.RATE_LIMIT_PER_MINUTE;
  return {
    perMinute,
    sessionPerMinute: env.RATE_LIMIT_SESSION_PER_MINUTE,
    pagesPerMinute: env.RATE_LIMIT_PAGES_PER_MINUTE,
    budget: {
      cpuMs: env.RATE_LIMIT_CPU_MS_PER_MINUTE ?? budgetPerRequest.cpuMs * perMinute,
      bytes: env.RATE_LIMIT_BYTES_PER_MINUTE ?? budgetPerRequest.bytes * perMinute,
    },
  };
}
