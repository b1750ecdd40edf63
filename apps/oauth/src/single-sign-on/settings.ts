import { PasswordVariables, SecureUrl, Switch } from "@kb/runtime";
import { z } from "zod";
import { asciiDomain, ClaimAndValue, Domains, GroupsByValue, type RequiredClaim, Scopes } from "./variable-types.ts";

/** The connection to the provider, and what its word decides here. */
export type SingleSignOnSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name on the button, after "Log in with". */
  readonly name: string;
  /** The scopes of a log-in, between spaces. Default: `openid email profile`. */
  readonly scopes?: string | undefined;
  /** Whether an e-mail address counts as verified if the provider does not say that it is not. Default: false. */
  readonly trustEmail?: boolean | undefined;
  /** The claim that every user must have; undefined lets everybody in whom the provider lets in. */
  readonly requiredClaim?: RequiredClaim | undefined;
  /** The group that unknown users join; undefined if they may not log in. */
  readonly createUsersIn?: string | undefined;
  /** The domains of the e-mail addresses of unknown users who may join; undefined allows every address. */
  readonly signUpDomains?: readonly string[] | undefined;
  /** The claim that decides who is in which groups; undefined leaves all groups to the admins. */
  readonly groups?: GroupMapping | undefined;
};

/** A claim with groups of the provider, and the names of groups here for each of its values. */
export type GroupMapping = { readonly claim: string; readonly byValue: ReadonlyMap<string, readonly string[]> };

/** The scopes of a log-in, unless others are set. */
export const defaultScopes = "openid email profile";

/** The variables of the single sign-on, for the environment of an app. */
export const SingleSignOnVariables = {
  ...PasswordVariables,
  OIDC_ISSUER: SecureUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "must have at most 60 characters").default("single sign-on"),
  OIDC_SCOPES: Scopes.default(defaultScopes),
  OIDC_TRUST_EMAIL: Switch.default(false),
  OIDC_REQUIRED_CLAIM: ClaimAndValue.optional(),
  OIDC_CREATE_USERS: z.string().optional(),
  OIDC_SIGN_UP_DOMAINS: Domains.optional(),
  OIDC_GROUPS_CLAIM: z.string().optional(),
  OIDC_GROUPS_MAP: GroupsByValue.optional(),
};

type Variables = z.output<z.ZodObject<typeof SingleSignOnVariables>>;

/** Reports the variables that are missing although others are set, and an issuer whose e-mail addresses cannot be trusted. */
export function requireWholeSingleSignOn(variables: Variables, context: z.RefinementCtx<Variables>): void {
  const report = (name: keyof Variables, message: string): void =>
    context.addIssue({ code: "custom", path: [name], message });
  if (variables.OIDC_SIGN_UP_DOMAINS !== undefined && variables.OIDC_CREATE_USERS === undefined) {
    report("OIDC_CREATE_USERS", "is required for OIDC_SIGN_UP_DOMAINS: it names the group that people join");
  }
  if ((variables.OIDC_GROUPS_CLAIM === undefined) !== (variables.OIDC_GROUPS_MAP === undefined)) {
    const missing = variables.OIDC_GROUPS_CLAIM === undefined ? "OIDC_GROUPS_CLAIM" : "OIDC_GROUPS_MAP";
    report(missing, "is missing: set OIDC_GROUPS_CLAIM and OIDC_GROUPS_MAP, or neither");
  }
  if (variables.OIDC_TRUST_EMAIL && variables.OIDC_ISSUER !== undefined && isOfManyTenants(variables.OIDC_ISSUER)) {
    const message =
      "must name one tenant with OIDC_TRUST_EMAIL: the admins of any other tenant could write your e-mail addresses into their accounts";
    report("OIDC_ISSUER", message);
  }
  if (!variables.PASSWORD_LOGIN && variables.OIDC_ISSUER === undefined) {
    report("PASSWORD_LOGIN", "may be false only with a single sign-on (OIDC_ISSUER): nobody could log in");
  }
  const needed = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  const missing = needed.filter((name) => variables[name] === undefined);
  if (missing.length === 0 || (missing.length === needed.length && !isUsed(variables))) return;
  for (const name of missing) report(name, "is required for the single sign-on, with the other OIDC_*");
}

/** Whether one of the variables is set that mean nothing without a provider. */
const isUsed = (variables: Variables): boolean =>
  variables.OIDC_CREATE_USERS !== undefined ||
  variables.OIDC_GROUPS_CLAIM !== undefined ||
  variables.OIDC_REQUIRED_CLAIM !== undefined ||
  variables.OIDC_TRUST_EMAIL;

/** The parts of the path of a Microsoft issuer that stand for every tenant, or for all personal accounts. */
const manyTenants = ["common", "organizations", "consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"];

/** Whether the accounts of an issuer belong to tenants that do not know of each other. */
function isOfManyTenants(issuer: string): boolean {
  const [first = ""] = new URL(issuer).pathname.split("/").filter((part) => part !== "");
  return manyTenants.includes(first.replaceAll(/%([0-9a-f]{2})/gi, decodeByte).toLowerCase());
}

const decodeByte = (_text: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** Returns the settings in the environment; undefined without a single sign-on. */
export function singleSignOnSettings(variables: Variables): SingleSignOnSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = variables;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const { OIDC_GROUPS_CLAIM: claim, OIDC_GROUPS_MAP: byValue } = variables;
  return {
    issuer,
    clientId,
    clientSecret,
    name: variables.OIDC_NAME,
    scopes: variables.OIDC_SCOPES,
    trustEmail: variables.OIDC_TRUST_EMAIL,
    requiredClaim: variables.OIDC_REQUIRED_CLAIM,
    createUsersIn: variables.OIDC_CREATE_USERS,
    signUpDomains: variables.OIDC_SIGN_UP_DOMAINS,
    groups: claim === undefined || byValue === undefined ? undefined : { claim, byValue },
  };
}

/** Returns the group that an unknown user with this e-mail address joins; undefined if they may not join. */
export function groupOfNewUser(
  { createUsersIn, signUpDomains }: SingleSignOnSettings,
  email: string,
): string | undefined {
  const domain = asciiDomain(email.slice(email.lastIndexOf("@") + 1));
  return signUpDomains === undefined || signUpDomains.includes(domain) ? createUsersIn : undefined;
}
