import type { Telemetry } from "@kb/telemetry";
import type { Limiter } from "./limiter.ts";

/**
 * Prefixes of the service's keys: a user, their sessions, a channel token, a client address, its pages, a row for which many calls in
 * a short time are refused. Those of OAuth begin with `oauth-`.
 */
const subjects: ReadonlySet<string> = new Set(["user", "session", "channel", "ip", "page", "burst"]);

/** Wraps a limiter and counts its decisions by kind of caller, never by caller. */
export function measuredLimiter(limiter: Limiter, telemetry: Telemetry): Limiter {
  if (!telemetry.metrics) return limiter;
  return {
    take: async (allowance) => {
      const verdict = await limiter.take(allowance);
      const [kind = ""] = allowance.key.split(":", 1);
      telemetry.add("kb.rate_limit.decisions", 1, {
        "kb.rate_limit.outcome": verdict.allowed ? "allowed" : verdict.exhausted === undefined ? "denied" : "exhausted",
        "kb.rate_limit.subject": subjects.has(kind) || kind.startsWith("oauth-") ? kind : "other",
      });
      return verdict;
    },
    spend: (key, amounts) => limiter.spend(key, amounts),
  };
}
