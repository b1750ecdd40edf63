import {
  type Actor,
  authenticateAccessToken,
  authenticateApiKey,
  authenticateChannelToken,
  type Caller,
  type ChannelReader,
  type OauthKeys,
} from "@kb/auth";
import { type Service, ServiceError } from "@kb/core";
import { readJsonBody } from "./body.ts";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import type { Sessions } from "./session.ts";

/** Finds the caller by what the request shows; null where it shows nothing good. */
export type Authenticate = (token: string, context: EdgeContext) => Promise<Actor | null>;

/** API keys alone: what REST takes. */
export function apiKeys(service: Service): Authenticate {
  return (token) => authenticateApiKey(service.database, token, service.clock.now());
}

/** API keys, and the access tokens that apps have for the MCP endpoint; keys alone where no app may connect. */
export function apiKeysAndTokens(service: Service, keys: OauthKeys | undefined): Authenticate {
  const byKey = apiKeys(service);
  if (keys === undefined) return byKey;
  const { database, clock, appUrl } = service;
  const resource = `${appUrl}/api/mcp`;
  return async (token, context) =>
    (await authenticateAccessToken(database, token, { keys, resource, now: clock.now() })) ?? byKey(token, context);
}

/** Where the readers of channels come in: they alone, by a token of the channel and nothing else. */
export type ChannelDoor = {
  /** `/api/v1/published/`. */
  readonly below: string;
  readonly authenticate: (token: string) => Promise<ChannelReader | null>;
};

/** The door of the channels: what lies `below` a path. */
export function channelTokens(service: Service, below: string): ChannelDoor {
  return { below, authenticate: (token) => authenticateChannelToken(service.database, token, service.clock.now()) };
}

/** By what a caller may show who they are: the header `Authorization`, and where there is none, a log-in's cookie. */
export type Credentials = {
  readonly authenticate: Authenticate;
  /** How a bearer token is refused; null for a header that brings none. Default: as what is no API key. */
  readonly refusal?: (token: string | null) => ServiceError;
  readonly sessions?: Sessions | undefined;
  readonly channels?: ChannelDoor | undefined;
  /** Paths whose POST only reads: a page asks them before it knows its CSRF token. */
  readonly readingPosts?: ReadonlySet<string>;
};

/**
 * Finds out who is calling and does not refuse yet: the rate limit comes between, so that a refusal is counted too.
 * `requireCaller` refuses.
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
  const { authenticate, sessions, channels } = credentials;
  if (channels !== undefined && context.req.path.startsWith(channels.below)) return recogniseReader(context, channels);
  const header = context.req.header("Authorization");
  if (header !== undefined && header.trim() !== "") {
    const token = bearerToken(header);
    const actor = token === null ? null : await authenticate(token, context);
    if (actor === null) throw (credentials.refusal ?? refusal)(token);
    context.set("actor", actor);
  } else if (sessions?.hasCookie(context)) {
    await recogniseLogIn(context, sessions, credentials.readingPosts ?? new Set());
  } else {
    throw new ServiceError("authentication_required", "Send an API key: Authorization: Bearer kb_…");
  }
}

async function recogniseReader(context: EdgeContext, channels: ChannelDoor): Promise<void> {
  const header = context.req.header("Authorization");
  if (header === undefined || header.trim() === "") {
    throw new ServiceError("authentication_required", "Send a token of the channel: Authorization: Bearer kbc_…");
  }
  const token = bearerToken(header);
  const reader = token === null ? null : await channels.authenticate(token);
  if (reader === null) throw new ServiceError("invalid_token", "This is no valid token of a channel.");
  context.set("channel", reader);
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
    if (context.req.header("Origin") !== undefined) sessions.requireOwnOrigin(context, loggedIn);
  } else if (!readingMethods.has(method)) {
    sessions.requireOwnOrigin(context, loggedIn);
    sessions.requireOwnPage(context, loggedIn, context.req.header("X-CSRF-Token") ?? (await csrfField(context)));
  }
  context.set("actor", loggedIn.actor);
  context.set("csrfToken", loggedIn.csrfToken);
}

/** The CSRF token as a field of the body; the row gets the body without it. */
async function csrfField(context: EdgeContext): Promise<string | undefined> {
  const { bytes, value } = await readJsonBody(context.req.raw);
  const { csrf, ...rest } = value;
  context.set("body", { bytes, value: rest });
  return typeof csrf === "string" ? csrf : undefined;
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses who was not recognised. */
export const requireCaller: EdgeMiddleware = async (context, next) => {
  callerOf(context);
  await next();
};

/** The caller of a route, whoever it is for; the operation's door tells whether that is right. */
export const callerOf = (context: EdgeContext): Caller => context.var.channel ?? actorOf(context);

/** The caller of an authenticated route. */
export function actorOf(context: EdgeContext): Actor {
  const { actor, denied } = context.var;
  if (actor !== undefined) return actor;
  throw denied ?? new ServiceError("authentication_required", "This needs a credential.");
}

/** How an edge for API keys refuses. Who forgot the scheme looks for the fault in the key, who is an app for it in the token. */
export function refusal(token: string | null): ServiceError {
  if (token === null) return new ServiceError("invalid_api_key", "The Authorization header must read: Bearer kb_…");
  const message = token.startsWith("kbat_")
    ? "The access token of an app is good at /api/mcp alone. Send an API key: Authorization: Bearer kb_…"
    : "This API key is not valid.";
  return new ServiceError("invalid_api_key", message);
}

/** RFC 9110 §11.1: the scheme's case does not matter. RFC 6750 §2.1: the characters of a token. */
function bearerToken(header: string): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1] ?? null;
}
