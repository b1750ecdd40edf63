import { defaultLifetimes, type OauthKeys, type OauthLifetimes } from "@kb/auth";
import { wholeNumber } from "@kb/runtime";

const year = 366 * 24 * 3600;

/** The variables of the authorization server, except for the secret of its tokens. */
export const AuthorizationVariables = {
  MCP_OAUTH_CODE_SECONDS: wholeNumber(10, 600).default(defaultLifetimes.codeSeconds),
  MCP_OAUTH_ACCESS_SECONDS: wholeNumber(60, 86_400).default(defaultLifetimes.accessSeconds),
  MCP_OAUTH_REFRESH_SECONDS: wholeNumber(60, year).default(defaultLifetimes.refreshSeconds),
  MCP_OAUTH_GRANT_SECONDS: wholeNumber(60, 10 * year).default(defaultLifetimes.grantSeconds),
  OAUTH_REGISTER_PER_HOUR: wholeNumber(1, 1_000_000).default(20),
  OAUTH_TOKEN_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
};

/** Settings of the authorization server. */
export type OauthSettings = {
  readonly keys: OauthKeys;
  readonly lifetimes: OauthLifetimes;
  /** Registrations an hour per network. */
  readonly registerPerHour: number;
  /** Token requests a minute per client and network. */
  readonly tokenPerMinute: number;
};

type Variables = { readonly [Name in keyof typeof AuthorizationVariables]: number };

/** Returns the settings in the environment; undefined without keys, when no app may connect. */
export function oauthSettings(variables: Variables, keys: OauthKeys | undefined): OauthSettings | undefined {
  if (keys === undefined) return undefined;
  return {
    keys,
    lifetimes: {
      codeSeconds: variables.MCP_OAUTH_CODE_SECONDS,
      accessSeconds: variables.MCP_OAUTH_ACCESS_SECONDS,
      refreshSeconds: variables.MCP_OAUTH_REFRESH_SECONDS,
      grantSeconds: variables.MCP_OAUTH_GRANT_SECONDS,
    },
    registerPerHour: variables.OAUTH_REGISTER_PER_HOUR,
    tokenPerMinute: variables.OAUTH_TOKEN_PER_MINUTE,
  };
}
