import { holds } from "@kb/auth";
import { invoke, operations, type Service, ServiceError } from "@kb/core";
import type { BrowserSession, Edge, EdgeContext, Sessions } from "@kb/http";
import type { Hono } from "hono";
import type { Clients } from "../clients/clients.ts";
import { destinationOf } from "../clients/redirect-uri.ts";
import { OauthError } from "../oauth-error.ts";
import { answerApprovalNeeded } from "../pages/approval-needed.ts";
import { answerConsent } from "../pages/consent.ts";
import { answerMcpDisabled } from "../pages/mcp-disabled.ts";
import { answerRefusedRequest } from "../pages/refused-request.ts";
import { authorizePath } from "../paths.ts";
import { readForm } from "../read-form.ts";
import { redirectTo } from "../redirect.ts";
import { logInPath } from "../return-to.ts";
import { type OauthScope, scopeText } from "../scopes.ts";
import { allowApp } from "./allow-app.ts";
import { askForApproval, readApproval } from "./app-approval.ts";
import { denialUrl } from "./callback.ts";
import { findNeededProof, type ProofRefusal, proveTyped } from "./consent-proof.ts";
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
  return showConsent(context, dependencies, loggedIn, { request });
}

async function answerDecision(context: EdgeContext, dependencies: Dependencies): Promise<Response> {
  const { service, sessions, clients, tickets } = dependencies;
  const form = await readForm(context, ["csrf", "request", "scope", "decision", "proof"]);
  const loggedIn = await requireLogIn(sessions, context);
  requireOwnForm(sessions, context, loggedIn, form.csrf);
  context.set("caller", loggedIn.actor);
  const query = new URLSearchParams(requireShownRequest(tickets, loggedIn, form.request));
  const request = await readRequest(query, { appUrl: service.appUrl, clients, address: context.var.address });
  if (isFaulty(request)) return reportFault(context, service, loggedIn, request);
  const decision = requireDecision(form.decision);
  if (decision === "deny") return redirectTo(context, denialUrl(request.callback));
  if (decision === "ask") {
    await askForApproval(context, service, loggedIn, request);
    return redirectTo(context, pathAfterLogIn(request.query));
  }
  const scopes = requireOfferedScope(offerScopes(request.scopes).choices, form.scope);
  const { mcpEnabled } = await readTeam(service, loggedIn);
  const needed = await findNeededProof(service, loggedIn);
  const shown = { request, scopes };
  const isApproved = (await readApproval(service, loggedIn, request)) === "approved";
  if (!mcpEnabled || !isApproved || needed === "log_in") return showConsent(context, dependencies, loggedIn, shown);
  if (needed === null) return redirectTo(context, await allowApp(context, service, loggedIn, request, scopes));
  // A page that was shown while the last proof counted has no field for one: it is shown again with it.
  if (form.proof === "") return showConsent(context, dependencies, loggedIn, shown);
  const refusal = await proveTyped(context, service, loggedIn, { kind: needed, typed: form.proof });
  if (refusal !== null) return showConsent(context, dependencies, loggedIn, { ...shown, refusal });
  // Read again, with the new proof.
  const proven = await requireLogIn(sessions, context);
  return redirectTo(context, await allowApp(context, service, proven, request, scopes));
}

/** A request to show, with what the user chose and why their proof was refused, if the page was shown before. */
type Shown = {
  readonly request: AuthorizationRequest;
  readonly scopes?: readonly OauthScope[];
  readonly refusal?: ProofRefusal;
};

async function showConsent(
  context: EdgeContext,
  { service, tickets }: Dependencies,
  loggedIn: BrowserSession,
  { request, scopes, refusal }: Shown,
): Promise<Response> {
  const { client, callback, query } = request;
  const team = await readTeam(service, loggedIn);
  const switchUserPath = logInPath(pathAfterLogIn(query), { switchUser: true });
  const { actor } = loggedIn;
  const { userName, email } = actor;
  const shown = { client, teamName: team.name, userName, email, switchUserPath };
  if (!team.mcpEnabled) return answerMcpDisabled(context, { ...shown, denialUrl: denialUrl(callback) });
  const approval = await readApproval(service, loggedIn, request);
  if (approval !== "approved") {
    const form = { csrf: loggedIn.csrfToken, ticket: tickets.issue(loggedIn, query) };
    const againPath = approval === "asked" ? pathAfterLogIn(query) : null;
    return answerApprovalNeeded(context, { ...shown, ...form, denialUrl: denialUrl(callback), againPath });
  }
  const needed = await findNeededProof(service, loggedIn);
  if (needed === "log_in") return redirectTo(context, switchUserPath);
  const offer = offerScopes(request.scopes);
  if (refusal !== undefined) refuse(context, refusal);
  return answerConsent(context, {
    ...shown,
    csrf: loggedIn.csrfToken,
    ticket: tickets.issue(loggedIn, query),
    destination: destinationOf(callback.redirectUri),
    offer: scopes === undefined ? offer : { ...offer, preselected: scopeText(scopes) },
    proof: needed === null ? null : { kind: needed, problem: refusal?.problem },
    status: refusal?.status,
    mayWrite: holds(actor, "document.edit") || holds(actor, "document.create"),
  });
}

function refuse(context: EdgeContext, { status, retryAfterSeconds }: ProofRefusal): void {
  if (status === 401) context.header("WWW-Authenticate", `Cookie form-action="${authorizePath}"`);
  if (retryAfterSeconds !== undefined) context.header("Retry-After", String(retryAfterSeconds));
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
