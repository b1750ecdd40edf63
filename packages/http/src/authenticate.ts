import { type Actor, authenticateApiKey } from "@kb/auth";
import { type Service, ServiceError } from "@kb/core";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";

/** Finds the caller by what the request shows; null where it shows nothing good. */
export type Authenticate = (token: string, context: EdgeContext) => Promise<Actor | null>;

/** API keys alone: what REST takes. */
export function apiKeys(service: Service): Authenticate {
  return (token) => authenticateApiKey(service.database, token, service.clock.now());
}

/**
 * Finds out who is calling and does not refuse yet: the rate limit comes between, so that a refusal is counted too.
 * `requireActor` refuses.
 */
export function identify(authenticate: Authenticate): EdgeMiddleware {
  return async (context, next) => {
    const header = context.req.header("Authorization");
    if (header === undefined || header.trim() === "") {
      const message = "Send an API key: Authorization: Bearer kb_…";
      context.set("denied", new ServiceError("authentication_required", message));
    } else {
      const token = bearerToken(header);
      try {
        const actor = token === null ? null : await authenticate(token, context);
        if (actor === null) context.set("denied", new ServiceError("invalid_api_key", refusal(token)));
        else context.set("actor", actor);
      } catch (error) {
        context.set("denied", error);
      }
    }
    await next();
  };
}

/** Refuses who was not recognised. */
export const requireActor: EdgeMiddleware = async (context, next) => {
  actorOf(context);
  await next();
};

/** The caller of an authenticated route. */
export function actorOf(context: EdgeContext): Actor {
  const { actor, denied } = context.var;
  if (actor !== undefined) return actor;
  throw denied ?? new ServiceError("authentication_required", "This needs a credential.");
}

/** Who forgot the scheme looks for the fault in the key. */
const refusal = (token: string | null): string =>
  token === null ? "The Authorization header must read: Bearer kb_…" : "This API key is not valid.";

/** RFC 9110 §11.1: the scheme's case does not matter. RFC 6750 §2.1: the characters of a token. */
function bearerToken(header: string): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1] ?? null;
}
