import { SecureUrl } from "@kb/http";
import { z } from "zod";

/** How to reach the provider, and what becomes of people whom it knows and we do not. */
export type SingleSignOnSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button says after "Log in with". */
  readonly name: string;
  /** The group that somebody unknown joins; absent where nobody unknown gets in. */
  readonly createUsersIn?: string | undefined;
};

/** The variables of the single sign-on, to be spread into an app's environment. */
export const SingleSignOnVariables = {
  OIDC_ISSUER: SecureUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "must have at most 60 characters").default("single sign-on"),
  OIDC_CREATE_USERS: z.string().optional(),
};

type Variables = z.output<z.ZodObject<typeof SingleSignOnVariables>>;

/** Reports the variables that are missing where others are set. */
export function requireWholeSingleSignOn(read: Variables, context: z.RefinementCtx<Variables>): void {
  const needed = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
  const missing = needed.filter((name) => read[name] === undefined);
  const unused = missing.length === needed.length && read.OIDC_CREATE_USERS === undefined;
  if (missing.length === 0 || unused) return;
  for (const name of missing) {
    context.addIssue({
      code: "custom",
      path: [name],
      message: "is needed for the single sign-on, with the other OIDC_*",
    });
  }
}

/** The single sign-on that the environment describes; undefined where it describes none. */
export function singleSignOnSettings(read: Variables): SingleSignOnSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret, name: read.OIDC_NAME, createUsersIn: read.OIDC_CREATE_USERS };
}
