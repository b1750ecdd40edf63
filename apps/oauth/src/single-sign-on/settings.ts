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
};

/** The variables of the single sign-on, for the environment of an app. */
export const SingleSignOnVariables = {
  OIDC_ISSUER: SecureUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "must have at most 60 characters").default("single sign-on"),
  OIDC_CREATE_USERS: z.string().optional(),
};

type Variables = z.output<z.ZodObject<typeof SingleSignOnVariables>>;

/** Reports the variables that are missing although others are set. */
export function requireWholeSingleSignOn(variables: Variables, context: z.RefinementCtx<Variables>): void {
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
  return { issuer, clientId, clientSecret, name: variables.OIDC_NAME, createUsersIn: variables.OIDC_CREATE_USERS };
}
