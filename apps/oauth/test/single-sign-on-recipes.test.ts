import { admin } from "@kb/core";
import { addPerson } from "@kb/core/testing";
import { afterEach, describe, expect, it } from "vitest";
import { testBrowser } from "./browser.ts";
import { type IdentityProvider, identityProvider, type Manners, type Person } from "./identity-provider.ts";
import { openSetting, type Setting } from "./setting.ts";
import { actorOf, keepOneTeam, redirectUri, settingsFrom, signIn } from "./signing-in.ts";

// Each suite is a recipe of docs/single-sign-on.md: a real provider with the manners of the product, and its variables.

let provider: IdentityProvider;
let setting: Setting;

const install = async (manners: Manners, variables: (issuer: string) => Record<string, string>): Promise<void> => {
  provider = await identityProvider(redirectUri, manners);
  setting = await openSetting({ singleSignOn: settingsFrom(provider, variables(provider.issuer)) });
  await keepOneTeam(setting);
};
afterEach(async () => {
  await setting.close();
  await provider.close();
});

const logIn = async (claims: Person, path?: string) => {
  provider.person = claims;
  const visitor = testBrowser(setting.app);
  return { page: await signIn(provider, visitor, path), visitor };
};
const provenSecondsAgo = async (visitor: Parameters<typeof actorOf>[0]): Promise<number> => {
  const provenAt = (await actorOf(visitor, setting))?.credential.session?.provenAt ?? new Date(0);
  return (setting.clock.now().getTime() - provenAt.getTime()) / 1_000;
};
const groupsOf = async (email: string): Promise<string[]> =>
  (await admin.listUsers(setting.world.service, {}))
    .filter((user) => user.email === email)
    .flatMap(({ groups }) => groups.map(({ name }) => name));

describe("the recipe for Keycloak", () => {
  const manners = { path: "/realms/team", inIdToken: true };
  const variables = () => ({
    OIDC_SCOPES: "openid email profile",
    OIDC_CREATE_USERS: "Viewers",
    OIDC_GROUPS_CLAIM: "groups",
    OIDC_GROUPS_MAP: '{"/wiki/admins":"Admins","/wiki/editors":["Editors","Members"]}',
  });

  it("logs people in at the issuer of a realm, with the groups of the claim", {
    meta: { proves: ["onboarding.recipes.keycloak"] },
  }, async () => {
    await install(manners, variables);
    const person = { email: "ada@example.com", email_verified: true, name: "Ada" };
    const { page, visitor } = await logIn({ ...person, groups: ["/wiki/editors", "/other"] });
    expect([page.status, await groupsOf(person.email)]).toEqual([303, ["Editors", "Members", "Viewers"]]);
    expect(await actorOf(visitor, setting)).toMatchObject({ email: person.email, userName: "Ada" });
    await logIn({ ...person, groups: [] });
    expect(await groupsOf(person.email)).toEqual(["Viewers"]);
  });

  it("counts a log-in that Keycloak asked for as a proof", {
    meta: { proves: ["onboarding.recipes.keycloak", "onboarding.proof.single-sign-on"] },
  }, async () => {
    await install(manners, variables);
    const person = { email: setting.world.people.member.email, email_verified: true };
    const { visitor } = await logIn(person, "/login/sso?other=1");
    expect(await provenSecondsAgo(visitor)).toBe(0);
  });

  it("refuses an address that nobody has verified", {
    meta: { proves: ["onboarding.recipes.keycloak"] },
  }, async () => {
    await install(manners, variables);
    const { page } = await logIn({ email: "ada@example.com", email_verified: false });
    expect(page.text).toContain("has not verified your e-mail address");
  });
});

describe("the recipe for Google", () => {
  // Google knows none of these parameters, and states no `auth_time` unless its administrator switches it on.
  const manners = { inIdToken: true, ignores: ["prompt", "max_age", "claims"] };
  const variables = () => ({
    OIDC_CREATE_USERS: "Members",
    OIDC_SIGN_UP_DOMAINS: "example.com",
    OIDC_REQUIRED_CLAIM: "hd=example.com",
  });
  const ada = { email: "ada@example.com", email_verified: true, name: "Ada", hd: "example.com" };

  it("lets in accounts of the own organization only, whatever address a personal account has", {
    meta: { proves: ["onboarding.recipes.google", "onboarding.required-claim"] },
  }, async () => {
    await install(manners, variables);
    expect((await logIn(ada)).page.status).toBe(303);
    expect(await groupsOf(ada.email)).toEqual(["Members"]);
    const { hd: _hd, ...personal } = ada;
    const strangers = [personal, { ...ada, hd: "example.org" }, { ...ada, hd: "EXAMPLE.COM" }, { ...ada, hd: ["x"] }];
    for (const stranger of strangers) {
      const { page, visitor } = await logIn(stranger);
      expect([page.status, visitor.cookies.has("kb_session")]).toEqual([403, false]);
      expect(page.text).toContain("may not log in here");
    }
  });

  it("lets nobody pass for somebody who has just logged in, as Google does not say when", {
    meta: { proves: ["onboarding.recipes.google", "onboarding.proof.single-sign-on"] },
  }, async () => {
    await install(manners, variables);
    const { visitor } = await logIn(ada);
    expect(await provenSecondsAgo(visitor)).toBeGreaterThan(1e9);
    const fresh = await logIn(ada, "/login/sso?other=1");
    expect([fresh.page.status, fresh.visitor.cookies.has("kb_session")]).toEqual([403, false]);
    expect(fresh.page.text).toContain("Example ID did not say when you logged in");
  });

  it("accepts the time once Google sends it: the log-in asks for it by the claims parameter", {
    meta: { proves: ["onboarding.recipes.google", "onboarding.proof.single-sign-on"] },
  }, async () => {
    await install({ inIdToken: true, ignores: ["prompt", "max_age"], claimsParameter: true }, variables);
    const { visitor } = await logIn(ada, "/login/sso?other=1");
    expect(JSON.parse(provider.asked.at(-1)?.get("claims") ?? "")).toEqual({
      id_token: { auth_time: { essential: true } },
    });
    expect(await provenSecondsAgo(visitor)).toBe(0);
    provider.loggedInSecondsAgo = 3_600;
    expect((await logIn(ada, "/login/sso?other=1")).page.text).toContain("did not ask you to log in again");
  });
});

describe("the recipe for Microsoft Entra ID", () => {
  const tenant = "8f0d4d54-1f0e-4f0c-9a44-1d3f8f6a7c21";
  const manners = { path: `/${tenant}/v2.0`, inIdToken: true };
  const writers = "5b0c1a2e-7d1f-4c7b-8f7e-0a6f5d6c1b11";
  const variables = () => ({
    OIDC_TRUST_EMAIL: "true",
    OIDC_GROUPS_CLAIM: "groups",
    OIDC_GROUPS_MAP: JSON.stringify({ [writers]: "Editors" }),
  });

  it("trusts the addresses of the own tenant, which are not marked as verified", {
    meta: { proves: ["onboarding.recipes.entra", "onboarding.trust-email"] },
  }, async () => {
    await install(manners, variables);
    const { email } = await addPerson(setting.world, "Viewers");
    const account = { email, name: "Ada", tid: tenant, oid: "1d3f8f6a-7c21-4f0c-9a44-8f0d4d541f0e", groups: [writers] };
    expect((await logIn(account)).page.status).toBe(303);
    expect(await groupsOf(email)).toEqual(["Editors", "Viewers"]);
    const { visitor } = await logIn(account, "/login/sso?other=1");
    expect(await provenSecondsAgo(visitor)).toBe(0);
  });

  it.each([false, 1, "", "false", "true"])(
    "trusts no address that is marked as %j",
    {
      meta: { proves: ["onboarding.trust-email"] },
    },
    async (email_verified) => {
      await install(manners, variables);
      const { email } = await addPerson(setting.world, "Viewers");
      expect((await logIn({ email, email_verified })).page.text).toContain("has not verified your e-mail address");
    },
  );

  it("refuses an answer of another tenant", { meta: { proves: ["onboarding.recipes.entra"] } }, async () => {
    await install(manners, variables);
    const { email } = await addPerson(setting.world, "Viewers");
    const elsewhere = await identityProvider(redirectUri, manners);
    elsewhere.person = { email, tid: tenant };
    const visitor = testBrowser(setting.app);
    const there = new URL((await visitor.get("/login/sso")).headers.get("Location") ?? "");
    there.port = new URL(elsewhere.issuer).port;
    const answer = await visitor.get(await elsewhere.visit(there.href));
    await elsewhere.close();
    expect([answer.status, visitor.cookies.has("kb_session")]).toEqual([403, false]);
  });
});
