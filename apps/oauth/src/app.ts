import { notFound, type Service } from "@kb/core";
import { browserSessions, type ClientIp, type Edge, edgeApp, type Logger } from "@kb/http";
import type { Hono } from "hono";
import { arrivalsAt } from "./arrivals.ts";
import { guests } from "./guest.ts";
import { serveLogIn } from "./log-in.ts";
import { serveLogOut } from "./log-out.ts";
import { answerProblem } from "./pages/problem.ts";
import { serveSingleSignOn } from "./single-sign-on/routes.ts";
import type { SingleSignOnSettings } from "./single-sign-on/settings.ts";

/** What logging in stands on; made by whoever starts it. */
export type OauthOptions = {
  readonly service: Service;
  /** `APP_SECRET`: the keys of forms and failures are derived from it. */
  readonly secret: string;
  readonly logger: Logger;
  readonly clientIp: ClientIp;
  /** Absent where people log in by password alone. */
  readonly singleSignOn?: SingleSignOnSettings | undefined;
};

/** The pages by which people log in and out: plain HTML, no script. */
export function createOauth(options: OauthOptions): Hono<Edge> {
  const { service, secret, logger, clientIp, singleSignOn } = options;
  const { appUrl } = service;
  const app = edgeApp({ logger, clientIp, appUrl });
  app.onError((thrown, context) => answerProblem(context, thrown));
  app.notFound((context) => answerProblem(context, notFound("Route")));
  const sessions = browserSessions(service);
  const arrivals = arrivalsAt(service, sessions);
  serveLogIn(app, {
    ...{ service, secret, arrivals, guests: guests({ secret, appUrl }) },
    singleSignOn: singleSignOn?.name,
  });
  serveLogOut(app, service, sessions);
  if (singleSignOn !== undefined) serveSingleSignOn(app, { service, secret, arrivals, settings: singleSignOn });
  return app;
}
