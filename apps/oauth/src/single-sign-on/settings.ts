import { domainToASCII } from "node:url";
import { SecureUrl } from "@kb/runtime";
import { z } from "zod";

/** The connection to the provider, and whether its unknown users may join. */
export type SingleSignOnSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name on the button, after "Log in with". */
  readonly name: string;
  /** The group that unknown users join; undefined if they may not log in. */
  readonly createUsersIn?: string | undefined;
  /** The domains of the e-mail addresses of unknown users who may join; undefined allows every address. */
  readonly signUpDomains?: readonly string[] | undefined;
};

const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Returns a domain as ASCII in lower case; an empty string for other text, from which `domainToASCII` may cut a path. */
const asciiDomain = (text: string): string => (/^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? domainToASCII(text) : "");

/** Domains between commas, as ASCII in lower case. */
const Domains = z
  .string()
  .transform((list) => list.split(",").map((domain) => asciiDomain(domain.trim())))
  .refine((domains) => domains.every((domain) => domainForm.test(domain)), {
    error: "must be domains between commas, such as example.com,example.org",
  });

/** The variables of the single sign-on, for the environment of an app. */
export const SingleSignOnVariables = {
  OIDC_ISSUER: SecureUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "must have at most 60 characters").default("single sign-on"),
  OIDC_CREATE_USERS: z.string().optional(),
  OIDC_SIGN_UP_DOMAINS: Domains.optional(),
};

type Variables = z.output<z.ZodObject<typeof SingleSignOnVariables>>;

/** Reports the variables that are missing although others are set. */
export function requireWholeSingleSignOn(variables: Variables, context: z.RefinementCtx<Variables>): void {
  if (variables.OIDC_SIGN_UP_DOMAINS !== undefined && variables.OIDC_CREATE_USERS === undefined) {
    const message = "is required for OIDC_SIGN_UP_DOMAINS: it names the group that people join";
    context.addIssue({ code: "custom", path: ["OIDC_CREATE_USERS"], message });
  }
  const needed = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  const missing = needed.filter((name) => variables[name] === undefined);
  const unused = missing.length === needed.length && variables.OIDC_CREATE_USERS === undefined;
  if (missing.length === 0 || unused) return;
  for (const name of missing) {
    context.addIssue({
      code: "custom",
      path: [name],
      message: "is required for the single sign-on, with the other OIDC_*",
    });
  }
}

/** Returns the settings in the environment; undefined without a single sign-on. */
export function singleSignOnSettings(variables: Variables): SingleSignOnSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = variables;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const { OIDC_NAME: name, OIDC_CREATE_USERS: createUsersIn, OIDC_SIGN_UP_DOMAINS: signUpDomains } = variables;
  return { issuer, clientId, clientSecret, name, createUsersIn, signUpDomains };
}

/** Returns the group that an unknown user with this e-mail address joins; undefined if they may not join. */
export function groupOfNewUser(
  { createUsersIn, signUpDomains }: SingleSignOnSettings,
  email: string,
): string | undefined {
  const domain = asciiDomain(email.slice(email.lastIndexOf("@") + 1));
  return signUpDomains === undefined || signUpDomains.includes(domain) ? createUsersIn : undefined;
}
