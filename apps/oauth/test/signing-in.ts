import { authenticateSession } from "@kb/auth";
import {
  requireWholeSingleSignOn,
  type SingleSignOnSettings,
  SingleSignOnVariables,
  singleSignOnSettings,
} from "@kb/oauth/variables";
import { readEnvironment } from "@kb/runtime";
import { z } from "zod";
import type { Page, TestBrowser } from "./browser.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { Setting } from "./setting.ts";

/** The address to which a provider sends its visitors back. */
export const redirectUri = "http://localhost:3000/login/callback";

/** Returns the settings of an installation that trusts the provider. */
export function settingsOf(
  { issuer, clientId, clientSecret }: IdentityProvider,
  more: Partial<SingleSignOnSettings> = {},
): SingleSignOnSettings {
  return { issuer, clientId, clientSecret, name: "Example ID", ...more };
}

/** Returns the settings of an environment with these variables beside those of the provider. @throws {EnvironmentError} */
export function settingsFrom(
  { issuer, clientId, clientSecret }: IdentityProvider,
  more: Readonly<Record<string, string>>,
): SingleSignOnSettings {
  const variables = z.object(SingleSignOnVariables).superRefine(requireWholeSingleSignOn);
  const own = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: "Example ID",
  };
  const settings = singleSignOnSettings(readEnvironment(variables, { ...own, ...more }));
  if (settings === undefined) throw new Error("the variables name no provider");
  return settings;
}

/** Starts a log-in at the service; returns the address at the provider. */
export async function begin(visitor: TestBrowser, path = "/login/sso"): Promise<string> {
  return (await visitor.get(path)).headers.get("Location") ?? "";
}

/** Logs in at the provider, and returns the answer of the service. */
export async function signIn(provider: IdentityProvider, visitor: TestBrowser, path?: string): Promise<Page> {
  return visitor.get(await provider.visit(await begin(visitor, path)));
}

/** Returns the actor of the session of a browser; null if it has none. */
export function actorOf(visitor: TestBrowser, { world, clock }: Setting) {
  return authenticateSession(world.service.database, visitor.cookies.get("kb_session") ?? "", clock.now());
}

/** Which team unknown users join is clear where there is one. */
export async function keepOneTeam({ world }: Setting): Promise<void> {
  await world.service.database.client.team.deleteMany({ where: { id: world.people.outsider.actor.teamId } });
}
