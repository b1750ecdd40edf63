import { readEnvironment } from "@kb/runtime";
import { expect, it } from "vitest";
import { z } from "zod";
import { requireWholeSingleSignOn, SingleSignOnVariables, singleSignOnSettings } from "./settings.ts";

const whole = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "kb", OIDC_CLIENT_SECRET: "a secret" };
const read = (variables: Record<string, string>) =>
  singleSignOnSettings(
    readEnvironment(z.object(SingleSignOnVariables).superRefine(requireWholeSingleSignOn), variables),
  );
const refusalOf = (variables: Record<string, string>): string => {
  try {
    read(variables);
    return "";
  } catch (error) {
    return String(error);
  }
};

it.each([
  "https://login.microsoftonline.com/common/v2.0",
  "https://login.microsoftonline.com/Organizations/v2.0",
  "https://login.microsoftonline.com/consumers/v2.0",
  "https://login.microsoftonline.us/organizations/v2.0",
  "https://login.microsoftonline.com//common/v2.0",
  "https://login.microsoftonline.com/%63ommon/v2.0",
  "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
])(
  "the addresses of %s cannot be trusted: it speaks for many tenants",
  {
    meta: { proves: ["onboarding.trust-email"] },
  },
  (OIDC_ISSUER) => {
    expect(refusalOf({ ...whole, OIDC_ISSUER, OIDC_TRUST_EMAIL: "true" })).toMatch(/OIDC_ISSUER: must name one tenant/);
    expect(refusalOf({ ...whole, OIDC_ISSUER })).toBe("");
  },
);

it("groups need both variables, and a map from texts to names", {
  meta: { proves: ["onboarding.groups.follow"] },
}, () => {
  const mapped = { ...whole, OIDC_GROUPS_CLAIM: "groups" };
  expect(refusalOf(mapped)).toContain("OIDC_GROUPS_MAP: is missing");
  expect(refusalOf({ ...whole, OIDC_GROUPS_MAP: '{"a":"Admins"}' })).toContain("OIDC_GROUPS_CLAIM: is missing");
  const wrong = [
    "",
    "a=Admins",
    "[]",
    "{}",
    "null",
    '"a"',
    '{"a":1}',
    '{"a":[]}',
    '{"a":""}',
    '{"a":[" "]}',
    '{"a":null}',
  ];
  for (const OIDC_GROUPS_MAP of wrong.slice(1)) {
    expect([OIDC_GROUPS_MAP, refusalOf({ ...mapped, OIDC_GROUPS_MAP })]).toEqual([
      OIDC_GROUPS_MAP,
      expect.stringContaining("OIDC_GROUPS_MAP: must be JSON"),
    ]);
  }
  const map = '{"cn=wiki,ou=groups":"Editors","__proto__":["Viewers","Members"]}';
  expect([...(read({ ...mapped, OIDC_GROUPS_MAP: map })?.groups?.byValue ?? [])]).toEqual([
    ["cn=wiki,ou=groups", ["Editors"]],
    ["__proto__", ["Viewers", "Members"]],
  ]);
});

it("the required claim has a name and a value, and scopes include openid", {
  meta: { proves: ["onboarding.required-claim"] },
}, () => {
  expect(read({ ...whole, OIDC_REQUIRED_CLAIM: "https://example.com/t=a=b" })?.requiredClaim).toEqual({
    name: "https://example.com/t",
    value: "a=b",
  });
  for (const OIDC_REQUIRED_CLAIM of ["hd", "hd=", "=example.com", "h d=x"]) {
    expect(refusalOf({ ...whole, OIDC_REQUIRED_CLAIM })).toContain("must be a claim and its value");
  }
  expect(read({ ...whole, OIDC_SCOPES: " openid  email groups " })?.scopes).toBe("openid email groups");
  for (const OIDC_SCOPES of ["email profile", 'openid "x"', "openid é"]) {
    expect(refusalOf({ ...whole, OIDC_SCOPES })).toContain("must be scopes between spaces, with openid");
  }
});

it("passwords can be switched off only with a single sign-on", {
  meta: { proves: ["onboarding.passwords-off.complete"] },
}, () => {
  expect(refusalOf({ PASSWORD_LOGIN: "false" })).toContain("PASSWORD_LOGIN: may be false only with a single sign-on");
  expect(refusalOf({ ...whole, PASSWORD_LOGIN: "false" })).toBe("");
  expect(refusalOf({ PASSWORD_LOGIN: "true" })).toBe("");
});

it("a variable that needs a provider is not forgotten", { meta: { proves: ["decision.access.oidc"] } }, () => {
  const needing: Record<string, string>[] = [
    { OIDC_TRUST_EMAIL: "true" },
    { OIDC_REQUIRED_CLAIM: "hd=example.com" },
    { OIDC_GROUPS_CLAIM: "groups", OIDC_GROUPS_MAP: '{"a":"Admins"}' },
  ];
  for (const variables of needing) expect(refusalOf(variables)).toContain("OIDC_ISSUER: is required");
  expect(read({})).toBeUndefined();
});
