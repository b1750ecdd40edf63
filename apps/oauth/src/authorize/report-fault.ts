import { hasLiveGrant } from "@kb/auth";
import type { Service } from "@kb/core";
import type { BrowserSession, EdgeContext } from "@kb/http";
import { destinationOf } from "../clients/redirect-uri.ts";
import { answerFaultyRequest } from "../pages/faulty-request.ts";
import { redirectTo } from "../redirect.ts";
import { errorUrl } from "./callback.ts";
import type { FaultyRequest } from "./read-request.ts";

/**
 * Reports a fault to the app by a redirect. If the redirect URI is not trusted, it shows a page with a link instead: anyone
 * can register a client, and would otherwise use this endpoint as an open redirector (RFC 9700 §4.11.2).
 */
export async function reportFault(
  context: EdgeContext,
  service: Service,
  loggedIn: BrowserSession | null,
  request: FaultyRequest,
): Promise<Response> {
  const { client, callback, fault } = request;
  context.set("failure", { code: fault.code });
  const url = errorUrl(callback, fault);
  if (await isTrusted(service, loggedIn, request)) return redirectTo(context, url);
  return answerFaultyRequest(context, { client, fault, destination: destinationOf(callback.redirectUri), url });
}

/** Whether the client is a metadata document, or this user has a grant for it. */
async function isTrusted(
  { database, clock }: Service,
  loggedIn: BrowserSession | null,
  { client }: FaultyRequest,
): Promise<boolean> {
  if (client.kind === "document") return true;
  if (loggedIn === null) return false;
  const { teamId, userId } = loggedIn.actor;
  return hasLiveGrant(database, { teamId, userId, clientId: client.id }, clock.now());
}
