import { type Person, testChallenge, testRedirectUri } from "@kb/core/testing";
import { newId } from "@kb/db";
import { type Page, type TestBrowser, testBrowser } from "./browser.ts";
import { password, type Setting } from "./setting.ts";

export type TestClient = { readonly id: string; readonly redirectUri: string };

type ClientOptions = {
  readonly id?: string;
  readonly name?: string | null;
  readonly kind?: "dynamic" | "document";
  readonly redirectUris?: readonly string[];
};

/** An app that is registered, without a secret. */
export async function testClient({ world, clock }: Setting, options: ClientOptions = {}): Promise<TestClient> {
  const { id = newId(), name = "Example Assistant", kind = "dynamic" } = options;
  const { redirectUris = [testRedirectUri] } = options;
  const metadata = { redirectUris: [...redirectUris], authentication: "none", clientUri: null };
  // A document is good for a day: nothing is fetched.
  const expiresAt = kind === "document" ? new Date(clock.now().getTime() + 86_400_000) : null;
  await world.service.database.client.oauthClient.create({ data: { id, name, kind, metadata, expiresAt } });
  return { id, redirectUri: redirectUris[0] ?? "" };
}

/** A request of the app's, right in all but what is said otherwise; null leaves a parameter out. */
export function authorizePathOf(client: TestClient, given: Record<string, string | null> = {}): string {
  const usual = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: client.redirectUri,
    code_challenge: testChallenge,
    code_challenge_method: "S256",
    scope: "read write",
    state: "a state",
  };
  const parts = Object.entries({ ...usual, ...given }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return `/oauth/authorize?${new URLSearchParams(parts)}`;
}

/** A browser in which the person is logged in. */
export async function loggedInBrowser(setting: Setting, { email }: Person, origin?: string): Promise<TestBrowser> {
  const browser = testBrowser(setting.app, origin === undefined ? {} : { origin });
  await browser.submit(await browser.get("/login"), "/login", { email, password });
  return browser;
}

/** Counts everybody who is logged in as proven now, however far the clock of a suite goes. */
export async function renewProofs({ world, clock }: Setting): Promise<void> {
  const { service, teamId } = world;
  await service.database.client.browserSession.updateMany({ where: { teamId }, data: { provenAt: clock.now() } });
}

/** Presses a button of the consent page. */
export const decide = (browser: TestBrowser, page: Page, decision: string, fields: Record<string, string> = {}) =>
  browser.submit(page, "/oauth/authorize", { decision, ...fields });

/** Where an answer sends to, in its parts. */
export function sentTo({ headers }: Pick<Page, "headers">): { at: string; answer: Record<string, string> } {
  const location = headers.get("Location") ?? "";
  const [at = "", query = ""] = location.split("?");
  return { at, answer: Object.fromEntries(new URLSearchParams(query)) };
}
