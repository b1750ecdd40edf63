import {
  type Actor,
  authenticateAccessToken,
  authenticateApiKey,
  authenticateChannelToken,
  type Caller,
  expectedCallers,
  type OauthKeys,
} from "@kb/auth";
import { type CallerKind, callerKinds, type Service, ServiceError } from "@kb/core";
import { bearerToken } from "./bearer-token.ts";
import type { Sessions } from "./browser-sessions.ts";
import type { EdgeContext, EdgeMiddleware } from "./edge.ts";
import { confirmCaller, type ExpectCaller, expectCaller, findExpected, isReading } from "./expected-caller.ts";
import { readJsonBody } from "./json-body.ts";
import { routePattern } from "./route-pattern.ts";

/** Finds the user behind a bearer token. Returns null for a token that is not valid. */
export type Authenticate = (token: string, context: EdgeContext) => Promise<Actor | null>;

/** Accepts API keys only, as REST does. */
export function apiKeys(service: Service): Authenticate {
  return (token) => authenticateApiKey(service.database, token, service.clock.now());
}

/** Accepts API keys, and authenticates those that it has seen together with the first statement of a reading request. */
export function expectedApiKeys({ database, clock }: Service): {
  readonly authenticate: Authenticate;
  readonly expect: ExpectCaller;
} {
  const callers = expectedCallers(database);
  return {
    authenticate: (token) => callers.authenticate(token, clock.now()),
    expect: (token) => callers.expect(token, clock.now()),
  };
}

/** Accepts API keys and the access tokens of apps for the MCP endpoint; only keys where no app may connect. */
export function apiKeysAndTokens(
  service: Service,
  keys: OauthKeys | undefined,
  byKey: Authenticate = apiKeys(service),
): Authenticate {
  if (keys === undefined) return byKey;
  const { database, clock, appUrl } = service;
  const resource = `${appUrl}/api/mcp`;
  return async (token, context) =>
    (await authenticateAccessToken(database, token, { keys, resource, now: clock.now() })) ?? byKey(token, context);
}

/** Accepts the same, and authenticates the keys that it has seen together with the first statement. */
export function expectedApiKeysAndTokens(
  service: Service,
  keys: OauthKeys | undefined,
): ReturnType<typeof expectedApiKeys> {
  const { authenticate, expect } = expectedApiKeys(service);
  return { authenticate: apiKeysAndTokens(service, keys, authenticate), expect };
}

/** A part of the API that accepts only the tokens of one kind of callers. */
type TokenArea = {
  readonly kind: CallerKind;
  /** The beginning of its paths, such as `/api/v1/published/`. */
  readonly pathPrefix: string;
  readonly authenticate: (token: string) => Promise<Caller | null>;
};

/** Defines the area that accepts only channel tokens. */
export function channelTokens(service: Service, pathPrefix: string): TokenArea {
  const { database, clock } = service;
  const authenticate = (token: string) => authenticateChannelToken(database, token, clock.now());
  return { kind: "channel", pathPrefix, authenticate };
}

/** The credentials that an edge accepts: the `Authorization` header, and the cookie of a session where there is none. */
export type Credentials = {
  readonly authenticate: Authenticate;
  /** Where it returns a caller, a request that only reads is authenticated together with its first statement. */
  readonly expect?: ExpectCaller | undefined;
  /** Whether a request with any method may be one that only reads. The app then calls `confirmUser` before any other. */
  readonly expectsAnyMethod?: boolean;
  /** Rows whose operations confirm an expected caller in their transaction, as `POST /api/v1/documents`. */
  readonly confirmingRows?: ReadonlySet<string>;
  /** Returns the error for a bearer token that is not valid; null stands for a header without one. Default: `invalidKeyError`. */
  readonly refusal?: (token: string | null) => ServiceError;
  readonly sessions?: Sessions | undefined;
  readonly tokenAreas?: readonly TokenArea[] | undefined;
  /** Paths whose POST only reads: a page calls them before it knows its CSRF token. */
  readonly readingPosts?: ReadonlySet<string>;
};

/** Finds the caller. Leaves rejection to `refuseUnidentified`, so that the rate limit also counts rejected requests. */
export function identify(credentials: Credentials): EdgeMiddleware {
  return async (context, next) => {
    const { expect, expectsAnyMethod = false, tokenAreas = [], refusal = invalidKeyError } = credentials;
    const mayExpect = expectsAnyMethod || isReading(context.req.method) || confirmsLater(context, credentials);
    const inArea = tokenAreas.some(({ pathPrefix }) => context.req.path.startsWith(pathPrefix));
    if (expect !== undefined && mayExpect && !inArea && expectCaller(context, findExpected(context, expect))) {
      await next();
      await confirmCaller(context, refusal);
      return;
    }
    if (expectSession(context, credentials)) {
      await next();
      await confirmCaller(context, logInEnded);
      return;
    }
    try {
      context.set("caller", await authenticateRequest(context, credentials));
    } catch (error) {
      context.set("authenticationError", error);
    }
    await next();
  };
}

/** Sets the caller of a page's request for a row that confirms it later. Returns whether it did. */
function expectSession(context: EdgeContext, credentials: Credentials): boolean {
  const hasHeader = (context.req.header("Authorization") ?? "").trim() !== "";
  if (hasHeader || !confirmsLater(context, credentials)) return false;
  return expectCaller(context, credentials.sessions?.expect(context));
}

function confirmsLater(context: EdgeContext, { confirmingRows }: Credentials): boolean {
  return confirmingRows?.has(`${context.req.method} ${routePattern(context)}`) === true;
}

async function authenticateRequest(context: EdgeContext, credentials: Credentials): Promise<Caller> {
  const { authenticate, sessions, tokenAreas = [] } = credentials;
  const area = tokenAreas.find(({ pathPrefix }) => context.req.path.startsWith(pathPrefix));
  if (area !== undefined) return authenticateInArea(context, area);
  const header = context.req.header("Authorization");
  if (header !== undefined && header.trim() !== "") {
    const token = bearerToken(header);
    const actor = token === null ? null : await authenticate(token, context);
    if (actor === null) throw (credentials.refusal ?? invalidKeyError)(token);
    return actor;
  }
  if (sessions?.hasCookie(context)) return authenticateCookie(context, sessions, credentials.readingPosts ?? new Set());
  throw missingCredential("user");
}

const logInEnded = (): ServiceError =>
  new ServiceError("authentication_required", "The log-in has ended. Log in again.");

async function authenticateInArea(context: EdgeContext, { kind, authenticate }: TokenArea): Promise<Caller> {
  const header = context.req.header("Authorization");
  if (header === undefined || header.trim() === "") throw missingCredential(kind);
  const token = bearerToken(header);
  const caller = token === null ? null : await authenticate(token);
  if (caller === null) throw invalidCredential(kind);
  return caller;
}

function missingCredential(kind: CallerKind): ServiceError {
  const { phrase, prefix } = callerKinds[kind].credential;
  return new ServiceError("authentication_required", `Send ${phrase}: Authorization: Bearer ${prefix}…`);
}

function invalidCredential(kind: CallerKind): ServiceError {
  const { invalidCode, name } = callerKinds[kind].credential;
  return new ServiceError(invalidCode, `This ${name} is not valid.`);
}

/** Browsers also send the cookie with requests of other sites, so only a page of the app may change anything. */
async function authenticateCookie(
  context: EdgeContext,
  sessions: Sessions,
  readingPosts: ReadonlySet<string>,
): Promise<Actor> {
  const { method, path } = context.req;
  const session = await sessions.find(context);
  if (session === null) throw logInEnded();
  if (method === "POST" && readingPosts.has(path)) {
    if (context.req.header("Origin") !== undefined) sessions.requireOwnOrigin(context, session);
  } else if (!isReading(method)) {
    sessions.requireOwnOrigin(context, session);
    sessions.requireOwnPage(
      context,
      session,
      context.req.header("X-CSRF-Token") ?? (await csrfField(context, session.actor)),
    );
  }
  return session.actor;
}

/** Reads the CSRF token from a field of the body and leaves the body without it. */
async function csrfField(context: EdgeContext, { userId }: Actor): Promise<string | undefined> {
  const { bytes, value } = await readJsonBody(context.req.raw, userId);
  const { csrf, ...rest } = value;
  context.set("body", { bytes, value: rest });
  return typeof csrf === "string" ? csrf : undefined;
}

/** Refuses requests without a valid credential. */
export const refuseUnidentified: EdgeMiddleware = async (context, next) => {
  requireCaller(context);
  await next();
};

/** Returns the caller of an authenticated request, of any kind; `invoke` refuses the wrong kind. @throws {ServiceError} */
export function requireCaller(context: EdgeContext): Caller {
  const caller = context.get("caller");
  const authenticationError = context.get("authenticationError");
  if (caller !== undefined) return caller;
  throw authenticationError ?? new ServiceError("authentication_required", "This needs a credential.");
}

/** Returns the user of an authenticated request. @throws {ServiceError} `authentication_required` for other callers. */
export const requireUser = (context: EdgeContext): Actor => callerKinds.user.require(requireCaller(context));

/** Returns the user of a request after looking up the expected credential. @throws {ServiceError} for other callers */
export async function confirmUser(context: EdgeContext): Promise<Actor> {
  const expected = context.get("expected");
  if (expected !== undefined) context.set("caller", (await expected.confirm()) ?? undefined);
  return requireUser(context);
}

/** Returns the error of an edge that accepts API keys. Names the mistake: a header without a scheme, or an app's token. */
export function invalidKeyError(token: string | null): ServiceError {
  if (token === null) return new ServiceError("invalid_api_key", "The Authorization header must read: Bearer kb_…");
  if (!token.startsWith("kbat_")) return invalidCredential("user");
  return new ServiceError(
    "invalid_api_key",
    "The access token of an app is only valid at /api/mcp. Send an API key: Authorization: Bearer kb_…",
  );
}
