import { holds } from "@kb/auth";
import { invoke, operations, type Service, ServiceError } from "@kb/core";
import type { BrowserSession, Edge, EdgeContext, Sessions } from "@kb/http";
import type { Hono } from "hono";
import type { Clients } from "../clients/clients.ts";
import { destinationOf } from "../clients/redirect-uri.ts";
import { OauthError } from "../oauth-error.ts";
import { answerConsent } from "../pages/consent.ts";
import { answerMcpDisabled } from "../pages/mcp-disabled.ts";
import { answerRefusedRequest } from "../pages/refused-request.ts";
import { authorizePath } from "../paths.ts";
import { readForm } from "../read-form.ts";
import { redirectTo } from "../redirect.ts";
import { logInPath } from "../return-to.ts";
import { allowApp } from "./allow-app.ts";
import { denialUrl } from "./callback.ts";
import {
  requireDecision,
  requireLogIn,
  requireOfferedScope,
  requireOwnForm,
  requireShownRequest,
} from "./decision-checks.ts";
import { type AuthorizationRequest, isFaulty, readRequest } from "./read-request.ts";
import { reportFault } from "./report-fault.ts";
import { offerScopes } from "./scope-offer.ts";
import { createTickets, type Tickets } from "./tickets.ts";

/** Dependencies of the authorization endpoint. */
export type AuthorizeOptions = {
  /** A service with the keys of authorization codes. */
  readonly service: Service;
  readonly secret: string;
  readonly sessions: Sessions;
  readonly clients: Clients;
};

type Dependencies = Omit<AuthorizeOptions, "secret"> & { readonly tickets: Tickets };
type Answer = (context: EdgeContext, dependencies: Dependencies) => Promise<Response>;

/** Serves `/oauth/authorize`: asks the user whether to allow an app, and sends the browser back to it with the answer. */
export function serveAuthorize(app: Hono<Edge>, { secret, ...options }: AuthorizeOptions): void {
  const tickets = createTickets({ secret, clock: options.service.clock });
  const dependencies: Dependencies = { ...options, tickets };
  const handle = (answer: Answer) => {
    return async (context: EdgeContext): Promise<Response> => {
      context.set("route", authorizePath);
      try {
        return await answer(context, dependencies);
      } catch (error) {
        // Without a verified client and redirect URI the browser is sent nowhere.
        if (error instanceof OauthError) return answerRefusedRequest(context, error);
        throw error;
      }
    };
  };
  app.get(authorizePath, handle(answerRequest));
  app.post(authorizePath, handle(answerDecision));
  app.all(authorizePath, (context) => {
    context.header("Allow", "GET, POST");
    throw new ServiceError("method_not_allowed", "Use GET or POST.");
  });
}

async function answerRequest(context: EdgeContext, dependencies: Dependencies): Promise<Response> {
  const { service, sessions, clients } = dependencies;
  const received = new URL(context.req.url).searchParams;
  const request = await readRequest(received, { appUrl: service.appUrl, clients, address: context.var.address });
  const loggedIn = await sessions.find(context);
  if (isFaulty(request)) return reportFault(context, service, loggedIn, request);
  const { client, callback, prompt, query } = request;
  if (prompt.has("none")) {
    const fault = promptNoneFault(loggedIn);
    return reportFault(context, service, loggedIn, { client, callback, fault });
  }
  if (loggedIn === null) return redirectTo(context, logInPath(pathAfterLogIn(query)));
  if (prompt.has("login") || prompt.has("select_account")) {
    return redirectTo(context, logInPath(pathAfterLogIn(query), { switchUser: true }));
  }
  return showConsent(context, dependencies, loggedIn, request);
}

async function answerDecision(context: EdgeContext, dependencies: Dependencies): Promise<Response> {
  const { service, sessions, clients, tickets } = dependencies;
  const form = await readForm(context, ["csrf", "request", "scope", "decision"]);
  const loggedIn = await requireLogIn(sessions, context);
  requireOwnForm(sessions, context, loggedIn, form.csrf);
  context.set("caller", loggedIn.actor);
  const shown = new URLSearchParams(requireShownRequest(tickets, loggedIn, form.request));
  const request = await readRequest(shown, { appUrl: service.appUrl, clients, address: context.var.address });
  if (isFaulty(request)) return reportFault(context, service, loggedIn, request);
  if (requireDecision(form.decision) === "deny") return redirectTo(context, denialUrl(request.callback));
  const scopes = requireOfferedScope(offerScopes(request.scopes).choices, form.scope);
  const { mcpEnabled } = await readTeam(service, loggedIn);
  if (!mcpEnabled) return showConsent(context, dependencies, loggedIn, request);
  return redirectTo(context, await allowApp(context, service, loggedIn, request, scopes));
}

async function showConsent(
  context: EdgeContext,
  { service, tickets }: Dependencies,
  loggedIn: BrowserSession,
  request: AuthorizationRequest,
): Promise<Response> {
  const { client, callback, query } = request;
  const team = await readTeam(service, loggedIn);
  const switchUserPath = logInPath(pathAfterLogIn(query), { switchUser: true });
  const { actor } = loggedIn;
  const { userName, email } = actor;
  const shown = { client, teamName: team.name, userName, email, switchUserPath };
  if (!team.mcpEnabled) return answerMcpDisabled(context, { ...shown, denialUrl: denialUrl(callback) });
  return answerConsent(context, {
    ...shown,
    csrf: loggedIn.csrfToken,
    ticket: tickets.issue(loggedIn, query),
    destination: destinationOf(callback.redirectUri),
    offer: offerScopes(request.scopes),
    mayWrite: holds(actor, "document.edit") || holds(actor, "document.create"),
  });
}

const readTeam = (service: Service, { actor }: BrowserSession) => invoke(service, operations.getTeam, actor, {});

/** OpenID Connect Core §3.1.2.6: with `prompt=none` the server may not show a page, and consent always needs one. */
function promptNoneFault(loggedIn: BrowserSession | null): OauthError {
  return loggedIn === null
    ? new OauthError("login_required", "The user is not logged in, and prompt none forbids asking.")
    : new OauthError("consent_required", "Consent is always required, and prompt none forbids asking.");
}

/** Returns the path of the request after a log-in, without its prompt: the user has just logged in. */
function pathAfterLogIn(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.delete("prompt");
  return `${authorizePath}?${parameters}`;
}
