import { type CpuMeter, databaseMsOf, withCpuMeter } from "@kb/telemetry";
import { declaredLength } from "./declared-length.ts";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import { shareOf } from "./fair-share.ts";
import { type BudgetOptions, budgetOf } from "./rate-limit.ts";
import { watchResponse } from "./watch-response.ts";

/** Counts at most this part of a budget for one request, so that a single large export or import blocks nobody. */
const mostOfBudget = 0.5;

/**
 * Counts the cost of a known caller's request: processor time, with the time for which PostgreSQL works, and the bytes of the
 * request and its answer.
 * `rateLimit` refuses the requests of a caller who has used up the budget of a minute, to which the cost is added when the request has
 * ended. While others are active, the operations of a caller take turns, which spread that budget over the minute; those of
 * a user's browser take turns of their own, so that a script of theirs keeps no page waiting.
 */
export function chargeCost(options: BudgetOptions): EdgeMiddleware {
  const share = shareOf(options.limiter);
  return async (context, next) => {
    const budget = budgetOf(context, options);
    if (budget === undefined) return next();
    const { key, limits } = budget;
    const { signal } = context.req.raw;
    const name = context.get("caller")?.credential.kind === "session" ? `session:${key}` : key;
    const meter: CpuMeter = { cpuMs: 0, takeTurn: (to) => share.takeTurn(name, to, signal) };
    context.set("cpuMeter", meter);
    const response = watchResponse(context);
    const timeMs = (): number => meter.cpuMs + databaseMsOf(meter);
    const [timeLimit = Number.POSITIVE_INFINITY] = limits;
    const stopCounting = share.enter(name, () => timeMs() / timeLimit);
    // Work whose client has disconnected goes on to its end, and costs as much.
    await withCpuMeter(meter, next).finally(() => response.onSent(stopCounting));
    response.onSent((sent) => {
      const received = declaredLength(context) ?? meter.bodyBytes ?? 0;
      const costs = [timeMs(), received + (isOpenStream(context) ? 0 : (sent?.bytes ?? 0))];
      const amounts = limits.map((limit, kind) => Math.ceil(Math.min(costs[kind] ?? 0, limit * mostOfBudget)));
      options.limiter.spend(key, amounts).catch(() => {});
    });
  };
}

/** Tells whether the answer is a stream that stays open, of which the service decides when it sends something. */
function isOpenStream({ req, res }: EdgeContext): boolean {
  const type = res.headers.get("Content-Type") ?? "";
  return req.method === "GET" && type.startsWith("text/event-stream");
}
