import { type Actor, csrfTokenOf, type ExpectedCaller, expectedSessions, isCsrfTokenOf } from "@kb/auth";
import { queueAudit, type Service, ServiceError } from "@kb/core";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import type { EdgeContext } from "./edge.ts";

/** The browser session that a request belongs to. */
export type BrowserSession = {
  readonly actor: Actor;
  /** The value of the cookie. */
  readonly token: string;
  /** The token that our pages send with every change. */
  readonly csrfToken: string;
};

/** Reads and writes the session cookie, and checks the requests that rest on it. */
export type Sessions = {
  /** Returns the session of the request; null without one, and for a session that has ended. */
  find(context: EdgeContext): Promise<BrowserSession | null>;
  /**
   * Returns the user of a session that was seen before, to be confirmed together with the first statement: only for a request that
   * `requireOwnPage` permits.
   */
  expect(context: EdgeContext): ExpectedCaller | undefined;
  /** Tells whether the request has the cookie, even of a session that has ended. */
  hasCookie(context: EdgeContext): boolean;
  setCookie(context: EdgeContext, token: string): void;
  clearCookie(context: EdgeContext): void;
  /** @throws {ServiceError} `forbidden` unless a page of this origin sent the request. */
  requireOwnOrigin(context: EdgeContext, session: BrowserSession): void;
  /** @throws {ServiceError} `forbidden` unless a page of this origin sent it with the session's CSRF token. */
  requireOwnPage(context: EdgeContext, session: BrowserSession, csrfToken: string | undefined): void;
};

/** The server decides when a session ends, so the cookie lasts as long as browsers permit: 400 days. */
const cookieSeconds = 400 * 24 * 3600;

type SessionService = Pick<Service, "database" | "clock" | "appUrl">;

/** Opens the browser sessions of a service. On https the cookie is bound to the host (`__Host-`). */
export function browserSessions(service: SessionService): Sessions {
  const { database, clock, appUrl } = service;
  const secure = appUrl.startsWith("https:");
  const name = secure ? "__Host-kb_session" : "kb_session";
  const options: CookieOptions = { path: "/", httpOnly: true, sameSite: "Lax", secure };
  const callers = expectedSessions(database);
  const read = (context: EdgeContext): string | undefined => getCookie(context, name) || undefined;

  const isOwnOrigin = (context: EdgeContext): boolean => context.req.header("Origin") === appUrl;

  const requireOwnOrigin = (context: EdgeContext, session: BrowserSession): void => {
    if (isOwnOrigin(context)) return;
    auditRefusal(service, context, session);
    throw new ServiceError("forbidden", `A change from a browser session must come from a page of ${appUrl}.`);
  };

  return {
    async find(context) {
      const token = read(context);
      const actor = token === undefined ? null : await callers.authenticate(token, clock.now());
      return token === undefined || actor === null ? null : { actor, token, csrfToken: csrfTokenOf(token) };
    },
    expect(context) {
      const token = read(context);
      const csrfToken = context.req.header("X-CSRF-Token");
      if (token === undefined || csrfToken === undefined || !isOwnOrigin(context)) return undefined;
      return isCsrfTokenOf(token, csrfToken) ? callers.expect(token, clock.now()) : undefined;
    },
    hasCookie: (context) => read(context) !== undefined,
    setCookie: (context, token) => setCookie(context, name, token, { ...options, maxAge: cookieSeconds }),
    clearCookie: (context) => {
      deleteCookie(context, name, options);
    },
    requireOwnOrigin,
    requireOwnPage(context, session, csrfToken) {
      requireOwnOrigin(context, session);
      if (csrfToken !== undefined && isCsrfTokenOf(session.token, csrfToken)) return;
      auditRefusal(service, context, session);
      throw new ServiceError(
        "forbidden",
        "A change from a browser session needs its CSRF token, which auth.me returns.",
      );
    },
  };
}

/** Records the refusal in the audit log: either another site forged the request, or one of our pages is out of date. */
function auditRefusal(
  service: SessionService,
  { var: { address, requestId } }: EdgeContext,
  { actor }: BrowserSession,
): void {
  const { teamId, userId, credential } = actor;
  const caller = { teamId, userId, credential: { kind: credential.kind, id: credential.id } };
  const at = service.clock.now();
  queueAudit(service, { ...caller, at, action: "session.refused", outcome: "denied", address, requestId });
}
