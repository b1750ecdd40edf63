import { type Actor, authenticateApiKey } from "@kb/auth";
import { type Service, ServiceError } from "@kb/core";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import type { Sessions } from "./session.ts";

/** Finds the caller by what the request shows; null where it shows nothing good. */
export type Authenticate = (token: string, context: EdgeContext) => Promise<Actor | null>;

/** API keys alone: what REST takes. */
export function apiKeys(service: Service): Authenticate {
  return (token) => authenticateApiKey(service.database, token, service.clock.now());
}

/** By what a caller may show who they are: the header `Authorization`, and where there is none, a log-in's cookie. */
export type Credentials = {
  readonly authenticate: Authenticate;
  readonly sessions?: Sessions | undefined;
  /** Paths whose POST only reads: a page asks them before it knows its CSRF token. */
  readonly readingPosts?: ReadonlySet<string>;
};

/**
 * Finds out who is calling and does not refuse yet: the rate limit comes between, so that a refusal is counted too.
 * `requireActor` refuses.
 */
export function identify(credentials: Credentials): EdgeMiddleware {
  return async (context, next) => {
    try {
      await recognise(context, credentials);
    } catch (error) {
      context.set("denied", error);
    }
    await next();
  };
}

async function recognise(context: EdgeContext, credentials: Credentials): Promise<void> {
  const { authenticate, sessions } = credentials;
  const header = context.req.header("Authorization");
  if (header !== undefined && header.trim() !== "") {
    const token = bearerToken(header);
    const actor = token === null ? null : await authenticate(token, context);
    if (actor === null) throw new ServiceError("invalid_api_key", refusal(token));
    context.set("actor", actor);
  } else if (sessions?.hasCookie(context)) {
    await recogniseLogIn(context, sessions, credentials.readingPosts ?? new Set());
  } else {
    throw new ServiceError("authentication_required", "Send an API key: Authorization: Bearer kb_…");
  }
}

/** A browser sends the cookie whoever makes it send: what changes something must come from a page of ours. */
async function recogniseLogIn(
  context: EdgeContext,
  sessions: Sessions,
  readingPosts: ReadonlySet<string>,
): Promise<void> {
  const { method, path } = context.req;
  const loggedIn = await sessions.find(context);
  if (loggedIn === null) throw new ServiceError("authentication_required", "The log-in has ended. Log in again.");
  if (method === "POST" && readingPosts.has(path)) {
    if (context.req.header("Origin") !== undefined) sessions.requireOwnOrigin(context);
  } else if (!readingMethods.has(method)) {
    sessions.requireOwnPage(context, loggedIn.token, context.req.header("X-CSRF-Token"));
  }
  context.set("actor", loggedIn.actor);
  context.set("csrfToken", loggedIn.csrfToken);
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

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
