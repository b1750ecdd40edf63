import { defaultLifetimes, type OauthKeys, type OauthLifetimes } from "@kb/auth";
import { wholeNumber } from "@kb/http";

const year = 366 * 24 * 3600;

/** The environment of the authorization server, besides the secret of its tokens. */
export const AuthorizationVariables = {
  MCP_OAUTH_CODE_SECONDS: wholeNumber(10, 600).default(defaultLifetimes.codeSeconds),
  MCP_OAUTH_ACCESS_SECONDS: wholeNumber(60, 86_400).default(defaultLifetimes.accessSeconds),
  MCP_OAUTH_REFRESH_SECONDS: wholeNumber(60, year).default(defaultLifetimes.refreshSeconds),
  MCP_OAUTH_GRANT_SECONDS: wholeNumber(60, 10 * year).default(defaultLifetimes.grantSeconds),
  OAUTH_REGISTER_PER_HOUR: wholeNumber(1, 1_000_000).default(20),
  OAUTH_TOKEN_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
};

/** The authorization server of an installation whose apps may connect. */
export type OauthSettings = {
  readonly keys: OauthKeys;
  readonly lifetimes: OauthLifetimes;
  /** Registrations an hour for each address. */
  readonly registerPerHour: number;
  /** Requests for tokens a minute for each client and address. */
  readonly tokenPerMinute: number;
};

type Read = { readonly [Name in keyof typeof AuthorizationVariables]: number };

/** Those settings as the environment says them; undefined without keys, where no app may connect. */
export function oauthSettings(read: Read, keys: OauthKeys | undefined): OauthSettings | undefined {
  if (keys === undefined) return undefined;
  return {
    keys,
    lifetimes: {
      codeSeconds: read.MCP_OAUTH_CODE_SECONDS,
      accessSeconds: read.MCP_OAUTH_ACCESS_SECONDS,
      refreshSeconds: read.MCP_OAUTH_REFRESH_SECONDS,
      grantSeconds: read.MCP_OAUTH_GRANT_SECONDS,
    },
    registerPerHour: read.OAUTH_REGISTER_PER_HOUR,
    tokenPerMinute: read.OAUTH_TOKEN_PER_MINUTE,
  };
}
