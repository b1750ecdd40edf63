import { type OauthKeys, oauthKeys } from "@kb/auth";
import { AppSecret, Switch } from "@kb/runtime";
import type { z } from "zod";

/** The variables of every process that accepts the tokens of connected apps. Apps may connect unless they are disabled. */
export const OauthTokenVariables = {
  MCP_OAUTH_ENABLED: Switch.optional(),
  MCP_OAUTH_TOKEN_SECRET: AppSecret.optional(),
  MCP_OAUTH_TOKEN_SECRET_PREVIOUS: AppSecret.optional(),
};

type TokenSettings = {
  readonly MCP_OAUTH_ENABLED?: boolean | undefined;
  readonly MCP_OAUTH_TOKEN_SECRET?: string | undefined;
  readonly MCP_OAUTH_TOKEN_SECRET_PREVIOUS?: string | undefined;
  readonly APP_SECRET?: string | undefined;
  readonly APP_SECRET_PREVIOUS?: string | undefined;
};

/** Requires a secret for the tokens where connected apps are enabled explicitly. */
export function requireTokenSecret(settings: TokenSettings, context: z.RefinementCtx): void {
  if (
    settings.MCP_OAUTH_ENABLED !== true ||
    settings.MCP_OAUTH_TOKEN_SECRET !== undefined ||
    settings.APP_SECRET !== undefined
  )
    return;
  const message = "is required if APP_SECRET is not set, with the same value for every process";
  context.addIssue({ code: "custom", path: ["MCP_OAUTH_TOKEN_SECRET"], message });
}

/** Returns the keys of the tokens, from their own secret or that of the installation; undefined if no app may connect. */
export function oauthKeysOf(settings: TokenSettings): OauthKeys | undefined {
  const secret = settings.MCP_OAUTH_TOKEN_SECRET ?? settings.APP_SECRET;
  if (settings.MCP_OAUTH_ENABLED === false || secret === undefined) return undefined;
  // Without a secret of their own, the tokens use that of the installation, including the one before a change.
  const installationPrevious = settings.MCP_OAUTH_TOKEN_SECRET === undefined ? settings.APP_SECRET_PREVIOUS : undefined;
  return oauthKeys({ secret, previous: settings.MCP_OAUTH_TOKEN_SECRET_PREVIOUS ?? installationPrevious });
}
