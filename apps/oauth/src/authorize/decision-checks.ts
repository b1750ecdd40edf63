import { ServiceError } from "@kb/core";
import type { BrowserSession, EdgeContext, Sessions } from "@kb/http";
import { type OauthScope, scopeText } from "../scopes.ts";
import type { Tickets } from "./tickets.ts";

const startAgain = "Nothing was allowed. Start again from the app.";

/** The decision must come from a logged-in browser. @throws {ServiceError} `forbidden` */
export async function requireLogIn(sessions: Sessions, context: EdgeContext): Promise<BrowserSession> {
  const loggedIn = await sessions.find(context);
  if (loggedIn !== null) return loggedIn;
  throw new ServiceError("forbidden", "You are no longer logged in. Log in, then start again from the app.");
}

/**
 * RFC 6749 §10.12: only our own page decides. It has the origin of the service and the CSRF token of the session.
 * @throws {ServiceError} `forbidden`
 */
export function requireOwnForm(sessions: Sessions, context: EdgeContext, loggedIn: BrowserSession, csrf: string): void {
  try {
    sessions.requireOwnPage(context, loggedIn, csrf);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "forbidden") throw error;
    const message = "This form was not sent by our consent page, or you logged in again while the page was open.";
    throw new ServiceError("forbidden", `${message} ${startAgain}`);
  }
}

/**
 * The page must have been shown in this session within the last hour, so that no user decides on a request that another
 * user saw. Returns the request that the page showed.
 * @throws {ServiceError} `forbidden`
 */
export function requireShownRequest(tickets: Tickets, loggedIn: BrowserSession, ticket: string): string {
  const query = tickets.open(loggedIn, ticket);
  if (query !== null) return query;
  const message = "This page was shown to another user or was open for too long.";
  throw new ServiceError("forbidden", `${message} ${startAgain}`);
}

/**
 * RFC 6749 §4.1.1: the user allows or denies, or asks their team to approve the app; a form without a button decides nothing.
 * @throws {ServiceError} `validation_error`
 */
export function requireDecision(decision: string): "allow" | "deny" | "ask" {
  if (decision === "allow" || decision === "deny" || decision === "ask") return decision;
  throw new ServiceError("validation_error", "Press Allow or Deny. Nothing was allowed.");
}

/** RFC 6749 §3.3: the user may grant less than was offered, never more. @throws {ServiceError} `validation_error` */
export function requireOfferedScope(
  offered: readonly (readonly OauthScope[])[],
  chosen: string,
): readonly OauthScope[] {
  const scopes = offered.find((scope) => scopeText(scope) === chosen);
  if (scopes !== undefined) return scopes;
  throw new ServiceError("validation_error", "Choose what the app may do. Nothing was allowed.");
}
