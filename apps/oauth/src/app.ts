import { notFound, type Service } from "@kb/core";
import { browserSessions, type ClientIp, type Edge, edgeApp, health, limitPages, type Sessions } from "@kb/http";
import { guardedFetch, type Outgoing } from "@kb/outgoing";
import type { Lifecycle, Limiter, Logger } from "@kb/runtime";
import type { Hono } from "hono";
import { hideSecretPath } from "./account/hide-secret-path.ts";
import { serveEmail } from "./account/serve-email.ts";
import { serveForgot } from "./account/serve-forgot.ts";
import { serveJoin } from "./account/serve-join.ts";
import { serveLogInLink } from "./account/serve-log-in-link.ts";
import { serveReset } from "./account/serve-reset.ts";
import { serveSetup } from "./account/serve-setup.ts";
import { serveAuthorize } from "./authorize/serve-authorize.ts";
import { createClients } from "./clients/clients.ts";
import { serveRegistration } from "./clients/serve-registration.ts";
import { createLogInFormGuard } from "./log-in-form-guard.ts";
import { serveMetadata } from "./metadata/serve-metadata.ts";
import { answerProblem } from "./pages/problem.ts";
import { authorizePath } from "./paths.ts";
import { createSecondSteps } from "./second-step/second-steps.ts";
import { serveSecondStep } from "./second-step/serve-second-step.ts";
import { serveLogIn } from "./serve-log-in.ts";
import { serveLogOut } from "./serve-log-out.ts";
import { servePasskeyLogIn } from "./serve-passkey-log-in.ts";
import type { OauthSettings } from "./settings.ts";
import { serveSingleSignOn } from "./single-sign-on/serve-single-sign-on.ts";
import type { SingleSignOnSettings } from "./single-sign-on/settings.ts";
import { serveRevocation } from "./token/serve-revocation.ts";
import { serveToken } from "./token/serve-token.ts";
import { version } from "./version.ts";

/** Dependencies of the app. */
export type OauthOptions = {
  readonly service: Service;
  /** `APP_SECRET`: the keys for forms and failed log-ins are derived from it. */
  readonly secret: string;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clientIp: ClientIp;
  /** Counts pages, registrations and token requests. */
  readonly limiter: Limiter;
  /** Requests per minute of an address for the pages. Default: unlimited. */
  readonly pagesPerMinute?: number | undefined;
  /** Undefined if users log in only with passwords. */
  readonly singleSignOn?: SingleSignOnSettings | undefined;
  /** Undefined if no app may connect; then the authorization server has no routes. */
  readonly authorization?: OauthSettings | undefined;
  /** Fetches the metadata documents of apps. Default: from public addresses only. */
  readonly outgoing?: Outgoing;
};

/** Creates the app: the log-in and log-out pages, without script but for passkeys, the authorization server and a health check. */
export function createOauth(options: OauthOptions): Hono<Edge> {
  const { service, secret, logger, lifecycle, clientIp, limiter, singleSignOn, authorization } = options;
  const { appUrl, database } = service;
  const app = edgeApp({ logger, clientIp, appUrl, telemetry: service.telemetry });
  app.onError((thrown, context) => answerProblem(context, thrown));
  app.notFound((context) => answerProblem(context, notFound("Route")));
  app.get("/api/health", health({ database, lifecycle, version }));
  for (const path of ["/join/*", "/reset/*", "/login/email/*", "/login/link/*"]) app.use(path, hideSecretPath);
  const pages = ["/login/*", "/join/*", "/forgot", "/reset/*", "/setup"];
  for (const path of [...pages, "/logout", authorizePath]) app.use(path, limitPages(options));
  for (const path of pages) app.use(path, (_context, next) => database.withReservedConnections(next));
  const sessions = browserSessions(service);
  const forms = createLogInFormGuard({ secret, appUrl });
  const secondSteps = createSecondSteps({ secret, clock: service.clock });
  serveLogIn(app, { service, sessions, forms, secondSteps, secret, singleSignOn: singleSignOn?.name });
  servePasskeyLogIn(app, { service, sessions, forms, singleSignOn: singleSignOn?.name });
  serveSecondStep(app, { service, sessions, forms, secondSteps });
  const provider = singleSignOn?.name;
  serveLogInLink(app, { service, sessions, forms, secondSteps });
  serveJoin(app, { service, sessions, forms, secondSteps, singleSignOn: provider });
  serveForgot(app, { service, forms, limiter, secret, singleSignOn: provider });
  serveEmail(app, { service, forms });
  serveReset(app, { service, forms, singleSignOn: provider });
  serveSetup(app, { service, sessions, forms });
  serveLogOut(app, service, sessions);
  if (singleSignOn !== undefined) {
    serveSingleSignOn(app, { service, sessions, forms, secondSteps, secret, settings: singleSignOn });
  }
  if (authorization !== undefined) serveAuthorizationServer(app, options, sessions, authorization);
  return app;
}

function serveAuthorizationServer(
  app: Hono<Edge>,
  options: OauthOptions,
  sessions: Sessions,
  settings: OauthSettings,
): void {
  const { service, secret, limiter, outgoing = guardedFetch() } = options;
  const { keys, registerPerHour, tokenPerMinute: perMinute } = settings;
  const clients = createClients({ service, outgoing, limiter });
  serveMetadata(app, service.appUrl);
  serveRegistration(app, { service, limiter, perHour: registerPerHour });
  serveAuthorize(app, { service: { ...service, oauth: settings }, secret, clients, sessions });
  serveToken(app, { service, clients, limiter, perMinute, settings });
  serveRevocation(app, { service, clients, limiter, perMinute, keys });
}
