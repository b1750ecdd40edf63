import { ServiceError } from "@kb/core";
import { type EdgeMiddleware, refusal } from "@kb/http";

/** What a client is told to ask for: with `read` alone it could never obtain more. */
const wantedScope = "read write";

/** How what was shown is refused: a key as everywhere, an access token as RFC 6750 §3.1 has it. */
export function refusedToken(token: string | null): ServiceError {
  if (token?.startsWith("kbat_") !== true) return refusal(token);
  const message = "This access token is unknown, ran out, was revoked, or is for another server.";
  return new ServiceError("invalid_token", message);
}

/**
 * Says on every 401 how to come in. RFC 9728 §5.1: where OAuth finds its way; RFC 6750 §3.1: no error for a request that
 * showed nothing.
 */
export function challenges(metadataUrl: string | undefined): EdgeMiddleware {
  const metadata = metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`];
  return async (context, next) => {
    await next();
    if (context.res.status !== 401) return;
    const { denied } = context.var;
    const shown = denied instanceof ServiceError && denied.code !== "authentication_required";
    const parts = [...(shown ? ['error="invalid_token"'] : []), ...metadata, `scope="${wantedScope}"`];
    context.header("WWW-Authenticate", `Bearer ${parts.join(", ")}`);
  };
}
