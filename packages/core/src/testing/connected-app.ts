import { createHash } from "node:crypto";
import { authenticateSession, type GrantScope, type IssuedTokens, redeemCode } from "@kb/auth";
import { newId } from "@kb/db";
import { invoke, operations } from "../index.ts";
import { authenticateCredential } from "./matrix/invoke-operation.ts";
import type { Person, World } from "./world.ts";

/** PKCE verifier of an app, and its challenge (RFC 7636 §4). */
export const testVerifier = "a-verifier-of-forty-three-characters-or-more-1";
export const testChallenge = createHash("sha256").update(testVerifier).digest("base64url");

/** Redirect URI of apps in tests. */
export const testRedirectUri = "https://app.example.com/callback";

/** The consent of a user to an app; by default to read and to write, at the service's own endpoint, in a client of its own. */
export type Consent = {
  readonly scopes?: readonly GrantScope[] | undefined;
  readonly clientId?: string | undefined;
  readonly resource?: string | undefined;
  /** The challenge that the app sends; by default that of `testVerifier`. */
  readonly codeChallenge?: string | undefined;
};

/** An app that was allowed, with the code that it has not redeemed yet. */
export type AllowedApp = { readonly clientId: string; readonly grantId: string; readonly code: string };

/** An app that was allowed, with its first tokens. */
export type ConnectedApp = AllowedApp & Pick<IssuedTokens, "accessToken" | "refreshToken">;

/** Registers an app without a secret. Returns its id. */
export async function registerApp(
  { service: { database, clock } }: World,
  name = "Example Assistant",
): Promise<string> {
  const id = newId();
  const metadata = { redirectUris: [testRedirectUri], authentication: "none", clientUri: null };
  await database.client.oauthClient.create({
    data: { id, name, kind: "dynamic", metadata, createdAt: clock.now() },
  });
  return id;
}

/** Has a person allow an app, as the consent page does; their team lets assistants in. */
export async function allowApp(world: World, person: Person, consent: Consent = {}): Promise<AllowedApp> {
  const { service } = world;
  const { scopes = ["read", "write"], resource = `${service.appUrl}/api/mcp`, codeChallenge = testChallenge } = consent;
  const clientId = consent.clientId ?? (await registerApp(world));
  const { token } = await world.session(person);
  const actor = await authenticateSession(service.database, token, service.clock.now());
  if (actor === null) throw new Error("nobody is logged in");
  const shown = { clientId, name: "Example Assistant", redirectUris: [testRedirectUri] };
  const asked = { ...shown, redirectUri: testRedirectUri, codeChallenge, resource, scopes: [...scopes] };
  const { id: grantId, code } = await invoke(service, operations.authorizeApp, actor, asked);
  return { clientId, grantId, code };
}

/** Has a person connect an app: it is allowed, and has its tokens. */
export async function connectApp(world: World, person: Person, consent: Consent = {}): Promise<ConnectedApp> {
  const { database, clock, oauth } = world.service;
  const allowed = await allowApp(world, person, consent);
  const redemption = await redeemCode(database, allowed.code, {
    ...oauth,
    now: clock.now(),
    check: () => {},
    endGrant: () => Promise.reject(new Error("the code was used")),
  });
  if (redemption.kind !== "issued") throw new Error("the code gave no tokens");
  return { ...allowed, ...redemption.tokens };
}

/** Returns whether the access token of an app authenticates a call. */
export async function isConnected({ service }: World, { accessToken }: ConnectedApp): Promise<boolean> {
  return (await authenticateCredential(service, accessToken)) !== null;
}
