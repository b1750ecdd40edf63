import { clientNetwork, type EdgeContext, type Limiter } from "@kb/http";
import { OauthError } from "../oauth-error.ts";

const windowMs = 60_000;

/**
 * So many requests a minute for each client and address; those of nobody we know count together.
 * @throws {OauthError} `too_many_requests`
 */
export async function requireRate(
  { var: { address } }: EdgeContext,
  { limiter, perMinute }: { limiter: Limiter; perMinute: number },
  clientId: string | null,
): Promise<void> {
  const key = `oauth-token:${clientId ?? ""}:${clientNetwork(address)}`;
  const { allowed, resetMs } = await limiter.take({ key, limit: perMinute, windowMs });
  if (allowed) return;
  throw new OauthError("too_many_requests", `At most ${perMinute} requests for tokens a minute are answered.`, {
    status: 429,
    headers: { "Retry-After": String(Math.max(1, Math.ceil(resetMs / 1000))) },
  });
}
