import type { Telemetry } from "@kb/telemetry";
import type { Limiter } from "./limiter.ts";

/** What the keys of the service begin with: a user, a channel's token, a client's address, and the guards of OAuth. */
const subjects: ReadonlySet<string> = new Set(["user", "channel", "ip"]);

/** The limiter, with each of its decisions counted; by what kind of caller, never by whom. */
export function measuredLimiter(limiter: Limiter, telemetry: Telemetry): Limiter {
  if (!telemetry.metrics) return limiter;
  return {
    take: async (allowance) => {
      const verdict = await limiter.take(allowance);
      const [kind = ""] = allowance.key.split(":", 1);
      telemetry.add("kb.rate_limit.decisions", 1, {
        "kb.rate_limit.outcome": verdict.allowed ? "allowed" : "denied",
        "kb.rate_limit.subject": subjects.has(kind) || kind.startsWith("oauth-") ? kind : "other",
      });
      return verdict;
    },
  };
}
