import { holds } from "@kb/auth";
import { invoke, operations, type Service, ServiceError } from "@kb/core";
import type { Edge, EdgeContext, LoggedIn, Sessions } from "@kb/http";
import type { Hono } from "hono";
import type { Clients } from "../clients/find-client.ts";
import { destinationOf } from "../clients/redirect-uri.ts";
import { readForm } from "../form.ts";
import { OauthError } from "../oauth-error.ts";
import { answerAssistantsOff } from "../pages/assistants-off.ts";
import { answerConsent } from "../pages/consent.ts";
import { answerRefusedRequest } from "../pages/refused-request.ts";
import { authorizePath } from "../paths.ts";
import { logInPath } from "../return-to.ts";
import { allow, refusedBack } from "./decide.ts";
import { decisionIsAllowOrDeny } from "./decision/decision-is-allow-or-deny.ts";
import { formIsOurOwn } from "./decision/form-is-our-own.ts";
import { pageWasShownInThisLogIn } from "./decision/page-was-shown-in-this-log-in.ts";
import { scopeIsNoMoreThanOffered } from "./decision/scope-is-no-more-than-offered.ts";
import { offerOf } from "./offer.ts";
import { type AuthorizationRequest, type FaultyRequest, readRequest } from "./request.ts";
import { errorBack, sendTo } from "./send-back.ts";
import { type Tickets, tickets } from "./ticket.ts";

/** What the authorization endpoint stands on. */
export type AuthorizationOptions = {
  /** With the keys of codes. */
  readonly service: Service;
  readonly secret: string;
  readonly sessions: Sessions;
  readonly clients: Clients;
};

type Ground = Omit<AuthorizationOptions, "secret"> & { readonly tickets: Tickets };

/** `/oauth/authorize`: asks the user whether an app may come in, and sends them back to it with the answer. */
export function serveAuthorize(app: Hono<Edge>, { secret, ...options }: AuthorizationOptions): void {
  const ground: Ground = { ...options, tickets: tickets({ secret, clock: options.service.clock }) };
  const answering = (answer: (context: EdgeContext, ground: Ground) => Promise<Response>) => {
    return async (context: EdgeContext): Promise<Response> => {
      context.set("route", authorizePath);
      try {
        return await answer(context, ground);
      } catch (error) {
        // Whose request it is nobody knows: the user is told, and sent nowhere.
        if (error instanceof OauthError) return answerRefusedRequest(context, error);
        throw error;
      }
    };
  };
  app.get(authorizePath, answering(ask));
  app.post(authorizePath, answering(decide));
  app.all(authorizePath, (context) => {
    context.header("Allow", "GET, POST");
    throw new ServiceError("method_not_allowed", "Use GET or POST.");
  });
}

const isFaulty = (request: AuthorizationRequest | FaultyRequest): request is FaultyRequest => "fault" in request;

async function ask(context: EdgeContext, ground: Ground): Promise<Response> {
  const { service, sessions, clients } = ground;
  const sent = new URL(context.req.url).searchParams;
  const request = await readRequest(sent, { appUrl: service.appUrl, clients, address: context.var.address });
  if (isFaulty(request)) return tellApp(context, request);
  const loggedIn = await sessions.find(context);
  if (request.prompt.has("none")) return tellApp(context, { back: request.back, fault: silentFault(loggedIn) });
  if (loggedIn === null) return sendTo(context, logInPath(behindLogIn(request.query)));
  if (request.prompt.has("login") || request.prompt.has("select_account")) {
    return sendTo(context, logInPath(behindLogIn(request.query), { other: true }));
  }
  return showConsent(context, ground, loggedIn, request);
}

async function decide(context: EdgeContext, ground: Ground): Promise<Response> {
  const { service, sessions, clients, tickets } = ground;
  const form = await readForm(context, ["csrf", "request", "scope", "decision"]);
  const loggedIn = await sessions.find(context);
  if (loggedIn === null) {
    throw new ServiceError("forbidden", "You are not logged in any more. Log in, then start once more from the app.");
  }
  formIsOurOwn(sessions, context, loggedIn, form.csrf);
  context.set("actor", loggedIn.actor);
  const sent = new URLSearchParams(pageWasShownInThisLogIn(tickets, loggedIn, form.request));
  const request = await readRequest(sent, { appUrl: service.appUrl, clients, address: context.var.address });
  if (isFaulty(request)) return tellApp(context, request);
  if (decisionIsAllowOrDeny(form.decision) === "deny") return sendTo(context, refusedBack(request));
  const scopes = scopeIsNoMoreThanOffered(offerOf(request.asked).scopes, form.scope);
  if (!(await teamOf(service, loggedIn)).mcpEnabled) return showConsent(context, ground, loggedIn, request);
  return sendTo(context, await allow(context, service, loggedIn, request, scopes));
}

async function showConsent(
  context: EdgeContext,
  { service, tickets }: Ground,
  loggedIn: LoggedIn,
  request: AuthorizationRequest,
): Promise<Response> {
  const { client, back, query } = request;
  const team = await teamOf(service, loggedIn);
  const otherLogIn = logInPath(behindLogIn(query), { other: true });
  const { actor } = loggedIn;
  const { userName, email } = actor;
  const shown = { client, teamName: team.name, userName, email, otherLogIn };
  if (!team.mcpEnabled) return answerAssistantsOff(context, { ...shown, wayBack: refusedBack(request) });
  return answerConsent(context, {
    ...shown,
    ...{ csrf: loggedIn.csrfToken, ticket: tickets.issue(loggedIn, query) },
    ...{ destination: destinationOf(back.redirectUri), offer: offerOf(request.asked) },
    mayWrite: holds(actor, "document.edit") || holds(actor, "document.create"),
  });
}

const teamOf = (service: Service, { actor }: LoggedIn) => invoke(service, operations.getTeam, actor, {});

function tellApp(context: EdgeContext, { back, fault }: FaultyRequest): Response {
  context.set("failure", { code: fault.code });
  return sendTo(context, errorBack(back, fault));
}

/** Nothing is ever allowed without being asked. */
function silentFault(loggedIn: LoggedIn | null): OauthError {
  return loggedIn === null
    ? new OauthError("login_required", "Nobody is logged in, and prompt none forbids to ask.")
    : new OauthError("consent_required", "Consent is asked every time, and prompt none forbids to ask.");
}

/** The request as it stands behind a log-in: whoever has just logged in need not do so once more. */
function behindLogIn(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.delete("prompt");
  return `${authorizePath}?${parameters}`;
}
