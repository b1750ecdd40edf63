import { createSession, findFirstStep, type NeededStep, type NewLogInSession } from "@kb/auth";
import {
  acceptInvitationByEmail,
  admin,
  followProviderGroups,
  type Service,
  ServiceError,
  usesPasswords,
} from "@kb/core";
import { type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import { describeError, type Logger } from "@kb/runtime";
import type { Hono } from "hono";
import { completeLogIn, type LogInDependencies } from "../complete-log-in.ts";
import { recordLogIn } from "../log-in-audit.ts";
import type { LogInFormGuard } from "../log-in-form-guard.ts";
import { callbackPath } from "../paths.ts";
import { redirectTo } from "../redirect.ts";
import { logInPath, safeReturnTo } from "../return-to.ts";
import { beginSecondStep } from "../second-step/begin-second-step.ts";
import type { SecondSteps } from "../second-step/second-steps.ts";
import { createPendingLogIns } from "./pending-log-ins.ts";
import { createProvider } from "./provider.ts";
import type { Identity } from "./read-identity.ts";
import { groupOfNewUser, type SingleSignOnSettings } from "./settings.ts";

/** Dependencies of the single sign-on. */
export type SingleSignOnOptions = LogInDependencies & {
  readonly forms: LogInFormGuard;
  readonly secondSteps: SecondSteps;
  readonly secret: string;
  readonly settings: SingleSignOnSettings;
};

/** Serves `/login/sso`, which redirects to the provider, and `/login/callback`, which completes the log-in. */
export function serveSingleSignOn(app: Hono<Edge>, options: SingleSignOnOptions): void {
  const { service, secret, settings } = options;
  const { appUrl, clock } = service;
  const provider = createProvider(settings, usesPasswords(service));
  const pendingLogIns = createPendingLogIns({ secret, appUrl, clock });
  const redirectUri = `${appUrl}${callbackPath}`;

  app.get("/login/sso", async (context) => {
    context.set("route", "/login/sso");
    const returnTo = safeReturnTo(context.req.query("return_to"));
    const pending = pendingLogIns.start(context, { returnTo, isFresh: context.req.query("other") === "1" });
    const url = await provider.startUrl(pending, redirectUri);
    return redirectTo(context, url.href);
  });

  app.get(callbackPath, async (context) => {
    context.set("route", callbackPath);
    const pending = pendingLogIns.finish(context);
    if (pending === null) {
      const message = "This log-in was not started in this browser or took too long. Try again.";
      throw new ServiceError("forbidden", message);
    }
    const answer = new URL(redirectUri);
    answer.search = new URL(context.req.url).search;
    const identity = await provider.identify(answer, pending).catch((error: unknown) => {
      context.var.log.warn({ failure: describeError(error) }, "the single sign-on rejected a log-in");
      throw error;
    });
    const user = await requireUser(context, service, settings, identity);
    await followGroups(context, service, settings, { user, identity });
    const { returnTo, isFresh } = pending;
    const started = await startSession(context, service, user, isFresh ? 0 : identity.provenSecondsAgo);
    if ("token" in started) return completeLogIn(context, options, started, returnTo);
    // A first second factor is set up by somebody who has just logged in, not by whoever finds the provider's session open.
    if (started.needs === "set_up" && !isFresh) {
      return redirectTo(context, logInPath(returnTo, { path: "/login/sso", switchUser: true }));
    }
    return beginSecondStep(context, options, { ...started, method: "single_sign_on", returnTo });
  });
}

type User = { readonly id: string; readonly teamId: string };

/**
 * Returns the user with the verified e-mail address; creates one if they are invited, or if the installation lets this user of the
 * provider join.
 * @throws {ServiceError} `forbidden`
 */
async function requireUser(
  context: EdgeContext,
  service: Service,
  settings: SingleSignOnSettings,
  identity: Identity,
): Promise<User> {
  const { email, name = email } = identity;
  const known = await admin.findUserOrNull(service, email);
  if (known !== null && known.suspendedAt === null) return known;
  const invited = known === null ? await acceptOrNull(context, service, { email, name }) : null;
  if (invited !== null) return invited;
  const group = groupOfNewUser(settings, email);
  if (known === null && group !== undefined) return createUser(service, context.var.log, { email, name, group });
  const message = `There is no account for ${email}. Ask an admin of your team to invite you.`;
  throw new ServiceError("forbidden", message);
}

/** Accepts the invitation to the address; null without one. Of two concurrent log-ins, one accepts it. */
async function acceptOrNull(
  context: EdgeContext,
  service: Service,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<User | null> {
  const { address, requestId } = context.var;
  const language = preferredLanguage(context);
  try {
    const joined = await acceptInvitationByEmail(service, { email, name, language, address, requestId });
    if (joined !== null) return joined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "conflict") throw error;
  }
  const known = await admin.findUserOrNull(service, email);
  return known !== null && known.suspendedAt === null ? known : null;
}

/** Creates a user; of two concurrent first log-ins, one creates it. Logs the reason of a failure for the operator. */
async function createUser(
  service: Service,
  log: Logger,
  newUser: { email: string; name: string; group: string },
): Promise<User> {
  try {
    return await admin.createUser(service, { ...newUser, name: newUser.name.slice(0, 255) });
  } catch (error) {
    const known = await admin.findUserOrNull(service, newUser.email);
    if (known !== null && known.suspendedAt === null) return known;
    log.error({ failure: describeError(error) }, "the single sign-on cannot create users: see OIDC_CREATE_USERS");
    const message = "Your account could not be created. Contact your administrator.";
    throw new ServiceError("forbidden", message, { cause: error });
  }
}

/** Has the user follow the groups of the provider, where a claim decides about them. Also for a log-in that needs a second step. */
async function followGroups(
  context: EdgeContext,
  service: Service,
  { groups }: SingleSignOnSettings,
  { user, identity }: { readonly user: User; readonly identity: Identity },
): Promise<void> {
  if (groups === undefined || identity.groups === undefined) return;
  const { address, requestId, log } = context.var;
  const decided = [...new Set([...groups.byValue.values()].flat())];
  const given = [...new Set(identity.groups)].flatMap((value) => groups.byValue.get(value) ?? []);
  const logIn = { teamId: user.teamId, userId: user.id, address, requestId };
  const { unknown, isLastAdmin } = await followProviderGroups(service, logIn, { decided, given });
  if (unknown.length > 0) log.warn({ groups: unknown }, "OIDC_GROUPS_MAP names groups that the team does not have");
  if (isLastAdmin) log.warn("the single sign-on takes the last admin out of their group: they stay an admin");
}

/**
 * Starts the session of the user; returns the first step instead if a second one is needed. A provider lets somebody in who logged
 * in there long ago, so the session counts as proven only since then; without a known time it does not count.
 */
function startSession(
  context: EdgeContext,
  service: Service,
  user: User,
  provenSecondsAgo: number | null,
): Promise<NewLogInSession | NeededStep> {
  const account = { teamId: user.teamId, userId: user.id };
  const { address } = context.var;
  const userAgent = context.req.header("User-Agent");
  const now = service.clock.now();
  return service.database.transaction(async (tx) => {
    const firstStep = await findFirstStep(tx, account);
    if (firstStep !== null) return firstStep;
    const provenAt = provenSecondsAgo === null ? new Date(0) : new Date(now.getTime() - provenSecondsAgo * 1_000);
    const session = await createSession(tx, { ...account, address, userAgent, provenAt }, now);
    await recordLogIn(tx, context, now, { account, session, method: "single_sign_on" });
    return session;
  });
}
