import { type CpuMeter, withCpuMeter } from "@kb/telemetry";
import { declaredLength } from "./declared-length.ts";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import { budgetOf, type RateLimitOptions } from "./rate-limit.ts";
import { watchResponse } from "./watch-response.ts";

/** Counts at most this part of a budget for one request, so that a single large export or import blocks nobody. */
const mostOfBudget = 0.5;

/**
 * Counts the cost of a known caller's request once its answer was sent: processor time, and the bytes of the request and its
 * answer. `rateLimit` refuses the requests of a caller who has used up the budget of a minute.
 */
export function chargeCost(options: RateLimitOptions): EdgeMiddleware {
  return async (context, next) => {
    const budget = budgetOf(context, options);
    if (budget === undefined) return next();
    const meter: CpuMeter = { cpuMs: 0 };
    context.set("cpuMeter", meter);
    const response = watchResponse(context);
    await withCpuMeter(meter, next);
    response.onSent((sent) => {
      const received = declaredLength(context) ?? meter.bodyBytes ?? 0;
      const bytes = received + (isOpenStream(context) ? 0 : (sent?.bytes ?? 0));
      const costs = [meter.cpuMs, bytes];
      const amounts = budget.limits.map((limit, kind) => Math.ceil(Math.min(costs[kind] ?? 0, limit * mostOfBudget)));
      options.limiter.spend(budget.key, amounts).catch(() => {});
    });
  };
}

/** Tells whether the answer is a stream that stays open, of which the service decides when it sends something. */
function isOpenStream({ req, res }: EdgeContext): boolean {
  const type = res.headers.get("Content-Type") ?? "";
  return req.method === "GET" && type.startsWith("text/event-stream");
}
