import { type Actor, authenticateSession, csrfTokenOf, isCsrfTokenOf } from "@kb/auth";
import { queueAudit, type Service, ServiceError } from "@kb/core";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import type { EdgeContext } from "./edge.ts";

/** A log-in as a request shows it. */
export type LoggedIn = {
  readonly actor: Actor;
  /** What the cookie holds. */
  readonly token: string;
  /** What a page of ours sends back with every change. */
  readonly csrfToken: string;
};

/** The cookie of a log-in: how it is read, given and taken away, and what a change that rests on it must show. */
export type Sessions = {
  /** Who is logged in; null for nobody. Null too for a cookie of a log-in that has ended. */
  find(context: EdgeContext): Promise<LoggedIn | null>;
  /** Whether the request brings the cookie, of a living log-in or not. */
  hasCookie(context: EdgeContext): boolean;
  give(context: EdgeContext, token: string): void;
  take(context: EdgeContext): void;
  /** @throws {ServiceError} `forbidden` unless a page of this origin sent the request. */
  requireOwnOrigin(context: EdgeContext, loggedIn: LoggedIn): void;
  /** @throws {ServiceError} `forbidden` unless the request comes from a page of ours that knows the log-in's CSRF token. */
  requireOwnPage(context: EdgeContext, loggedIn: LoggedIn, csrfToken: string | undefined): void;
};

/** The server decides when a log-in ends; the cookie only has to last longer. Browsers keep none for more than 400 days. */
const cookieSeconds = 400 * 24 * 3600;

/** What the log-ins of a service rest on. */
type Ground = Pick<Service, "database" | "clock" | "appUrl">;

/** The log-ins of a service; on https the cookie is bound to the very host (`__Host-`). */
export function browserSessions(service: Ground): Sessions {
  const { database, clock, appUrl } = service;
  const secure = appUrl.startsWith("https:");
  const name = secure ? "__Host-kb_session" : "kb_session";
  const options: CookieOptions = { path: "/", httpOnly: true, sameSite: "Lax", secure };
  const read = (context: EdgeContext): string | undefined => getCookie(context, name) || undefined;

  const requireOwnOrigin = (context: EdgeContext, loggedIn: LoggedIn): void => {
    if (context.req.header("Origin") === appUrl) return;
    noteRefusal(service, context, loggedIn);
    throw new ServiceError("forbidden", `A change by a log-in must come from a page of ${appUrl}.`);
  };

  return {
    async find(context) {
      const token = read(context);
      const actor = token === undefined ? null : await authenticateSession(database, token, clock.now());
      return token === undefined || actor === null ? null : { actor, token, csrfToken: csrfTokenOf(token) };
    },
    hasCookie: (context) => read(context) !== undefined,
    give: (context, token) => setCookie(context, name, token, { ...options, maxAge: cookieSeconds }),
    take: (context) => {
      deleteCookie(context, name, options);
    },
    requireOwnOrigin,
    requireOwnPage(context, loggedIn, csrfToken) {
      requireOwnOrigin(context, loggedIn);
      if (csrfToken !== undefined && isCsrfTokenOf(loggedIn.token, csrfToken)) return;
      noteRefusal(service, context, loggedIn);
      throw new ServiceError("forbidden", "A change by a log-in needs its CSRF token, which auth.me tells.");
    },
  };
}

/** Somebody's browser was made to send a change, or a page of ours is out of date: the audit log has it. */
function noteRefusal(service: Ground, { var: { address, requestId } }: EdgeContext, { actor }: LoggedIn): void {
  const { teamId, userId, credential } = actor;
  const who = { teamId, userId, credential: { kind: credential.kind, id: credential.id } };
  const at = service.clock.now();
  queueAudit(service, { ...who, at, action: "session.refused", outcome: "denied", address, requestId });
}
