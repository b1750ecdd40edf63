import { notFound, type Service } from "@kb/core";
import {
  browserSessions,
  type ClientIp,
  type Edge,
  edgeApp,
  health,
  type Lifecycle,
  type Limiter,
  type Logger,
} from "@kb/http";
import { guardedFetch, type Outgoing } from "@kb/outgoing";
import type { Hono } from "hono";
import { arrivalsAt } from "./arrivals.ts";
import { serveAuthorize } from "./authorize/routes.ts";
import { createClients } from "./clients/find-client.ts";
import { guests } from "./guest.ts";
import { serveLogIn } from "./log-in.ts";
import { serveLogOut } from "./log-out.ts";
import { serveMetadata } from "./metadata/routes.ts";
import { answerProblem } from "./pages/problem.ts";
import { serveRegistration } from "./register/routes.ts";
import { serveRevocation } from "./revoke/routes.ts";
import type { OauthSettings } from "./settings.ts";
import { serveSingleSignOn } from "./single-sign-on/routes.ts";
import type { SingleSignOnSettings } from "./single-sign-on/settings.ts";
import { serveToken } from "./token/routes.ts";
import { version } from "./version.ts";

/** What logging in stands on; made by whoever starts it. */
export type OauthOptions = {
  readonly service: Service;
  /** `APP_SECRET`: the keys of forms and failures are derived from it. */
  readonly secret: string;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clientIp: ClientIp;
  /** Where requests for registrations and tokens are counted. */
  readonly limiter: Limiter;
  /** Absent where people log in by password alone. */
  readonly singleSignOn?: SingleSignOnSettings | undefined;
  /** Absent where no app may connect: then none of its paths is there. */
  readonly authorization?: OauthSettings | undefined;
  /** How the metadata documents of apps are fetched. Default: from public addresses alone. */
  readonly outgoing?: Outgoing;
};

/** The pages by which people log in and out: plain HTML, no script; and the health check of a process of its own. */
export function createOauth(options: OauthOptions): Hono<Edge> {
  const { service, secret, logger, lifecycle, clientIp, singleSignOn, authorization } = options;
  const { appUrl, database } = service;
  const app = edgeApp({ logger, clientIp, appUrl, telemetry: service.telemetry });
  app.onError((thrown, context) => answerProblem(context, thrown));
  app.notFound((context) => answerProblem(context, notFound("Route")));
  app.get("/api/health", health({ database, lifecycle, version }));
  const sessions = browserSessions(service);
  const arrivals = arrivalsAt(service, sessions);
  serveLogIn(app, {
    ...{ service, secret, arrivals, guests: guests({ secret, appUrl }) },
    singleSignOn: singleSignOn?.name,
  });
  serveLogOut(app, service, sessions);
  if (singleSignOn !== undefined) serveSingleSignOn(app, { service, secret, arrivals, settings: singleSignOn });
  if (authorization !== undefined) serveAuthorization(app, options, authorization);
  return app;
}

/** The authorization server: how apps find it, register, are allowed something, and have their tokens. */
function serveAuthorization(app: Hono<Edge>, options: OauthOptions, settings: OauthSettings): void {
  const { service, secret, limiter, outgoing = guardedFetch() } = options;
  const clients = createClients({ service, outgoing, limiter });
  const known = { service, clients, limiter, perMinute: settings.tokenPerMinute };
  serveMetadata(app, service.appUrl);
  serveRegistration(app, { service, limiter, perHour: settings.registerPerHour });
  const consenting = { service: { ...service, oauth: settings }, secret, clients };
  serveAuthorize(app, { ...consenting, sessions: browserSessions(service) });
  serveToken(app, { ...known, settings });
  serveRevocation(app, { ...known, keys: settings.keys });
}
