import { ServiceError } from "@kb/core";
import { type EdgeMiddleware, invalidKeyError } from "@kb/http";

/** The scope to request. A client that requested only `read` could never obtain more. */
const requestedScope = "read write";

/** Returns the error for a rejected credential: `invalid_token` (RFC 6750 §3.1) for an access token. */
export function refusedToken(token: string | null): ServiceError {
  if (token?.startsWith("kbat_") !== true) return invalidKeyError(token);
  const message = "This access token is unknown, ran out, was revoked, or is for another server.";
  return new ServiceError("invalid_token", message);
}

/**
 * Adds `WWW-Authenticate` to every 401, with the address of the resource metadata (RFC 9728 §5.1). A request without
 * credentials gets no error code (RFC 6750 §3.1).
 */
export function challenges(metadataUrl: string | undefined): EdgeMiddleware {
  const metadata = metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`];
  return async (context, next) => {
    await next();
    if (context.res.status !== 401) return;
    const { authenticationError } = context.var;
    const hasCredentials =
      authenticationError instanceof ServiceError && authenticationError.code !== "authentication_required";
    const parts = [...(hasCredentials ? ['error="invalid_token"'] : []), ...metadata, `scope="${requestedScope}"`];
    context.header("WWW-Authenticate", `Bearer ${parts.join(", ")}`);
  };
}
