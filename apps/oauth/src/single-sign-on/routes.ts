import { createSession } from "@kb/auth";
import { admin, type Service, ServiceError } from "@kb/core";
import { describeError, type Edge, type EdgeContext, type Logger } from "@kb/http";
import type { Hono } from "hono";
import type { Arrivals } from "../arrivals.ts";
import { noteArrival } from "../audit.ts";
import { callbackPath } from "../paths.ts";
import { safeReturnTo } from "../return-to.ts";
import { pendingLogIns } from "./pending.ts";
import { type Identity, providerOf } from "./provider.ts";
import type { SingleSignOnSettings } from "./settings.ts";

/** `/login/sso` sends to the provider, `/login/callback` takes whom it sends back. */
export function serveSingleSignOn(
  app: Hono<Edge>,
  options: { service: Service; secret: string; arrivals: Arrivals; settings: SingleSignOnSettings },
): void {
  const { service, secret, arrivals, settings } = options;
  const { appUrl, clock } = service;
  const provider = providerOf(settings);
  const pendings = pendingLogIns({ secret, appUrl, clock });
  const redirectUri = `${appUrl}${callbackPath}`;

  app.get("/login/sso", async (context) => {
    context.set("route", "/login/sso");
    const pending = pendings.begin(context, safeReturnTo(context.req.query("return_to")));
    const url = await provider.startUrl(pending, redirectUri);
    context.header("Cache-Control", "no-store");
    return context.redirect(url.href, 303);
  });

  app.get(callbackPath, async (context) => {
    context.set("route", callbackPath);
    const pending = pendings.finish(context);
    if (pending === null) {
      throw new ServiceError("forbidden", "This log-in was not begun with this browser, or too long ago. Try again.");
    }
    const answer = new URL(redirectUri);
    answer.search = new URL(context.req.url).search;
    const identity = await provider.identify(answer, pending).catch((error: unknown) => {
      context.var.log.warn({ failure: describeError(error) }, "the single sign-on let nobody in");
      throw error;
    });
    const user = await userOf(service, context.var.log, settings, identity);
    const session = await startSession(context, service, user);
    return arrivals.arrive(context, { session }, pending.returnTo);
  });
}

type User = { readonly id: string; readonly teamId: string };

/** The user with the verified address. Nobody else, unless the installation takes in whomever the provider knows. */
async function userOf(
  service: Service,
  log: Logger,
  settings: SingleSignOnSettings,
  identity: Identity,
): Promise<User> {
  const { email, name = email } = identity;
  const known = await admin.findUserOrNull(service, email);
  if (known !== null && known.suspendedAt === null) return known;
  const group = settings.createUsersIn;
  if (known === null && group !== undefined) return join(service, log, { email, name, group });
  const message = `There is no account for ${email} here. Ask an admin of your team to invite you.`;
  throw new ServiceError("forbidden", message);
}

/** Of two first log-ins at once one makes the user. Why somebody could not join is for whoever runs the service. */
async function join(
  service: Service,
  log: Logger,
  newcomer: { email: string; name: string; group: string },
): Promise<User> {
  try {
    return await admin.createUser(service, { ...newcomer, name: newcomer.name.slice(0, 255) });
  } catch (error) {
    const known = await admin.findUserOrNull(service, newcomer.email);
    if (known !== null && known.suspendedAt === null) return known;
    log.error({ failure: describeError(error) }, "nobody can join by the single sign-on: see OIDC_CREATE_USERS");
    const message = "Your account could not be made. Ask whoever runs this service.";
    throw new ServiceError("forbidden", message, { cause: error });
  }
}

function startSession(context: EdgeContext, service: Service, user: User): Promise<{ token: string }> {
  const from = { address: context.var.address, userAgent: context.req.header("User-Agent") };
  const account = { teamId: user.teamId, userId: user.id };
  const now = service.clock.now();
  return service.database.transaction(async (tx) => {
    const session = await createSession(tx, { ...account, ...from }, now);
    await noteArrival(tx, context, now, { account, session, method: "single_sign_on" });
    return session;
  });
}
