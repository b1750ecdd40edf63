import { type OauthKeys, oauthKeys } from "@kb/auth";
import type { z } from "zod";
import { AppSecret, Switch } from "../env.ts";

/** The environment of whatever knows the tokens of connected apps. */
export const OauthTokenVariables = {
  MCP_OAUTH_ENABLED: Switch.default(true),
  MCP_OAUTH_TOKEN_SECRET: AppSecret.optional(),
  MCP_OAUTH_TOKEN_SECRET_PREVIOUS: AppSecret.optional(),
};

type Read = {
  readonly MCP_OAUTH_ENABLED: boolean;
  readonly MCP_OAUTH_TOKEN_SECRET?: string | undefined;
  readonly MCP_OAUTH_TOKEN_SECRET_PREVIOUS?: string | undefined;
  readonly APP_SECRET?: string | undefined;
};

/** What keeps tokens has a secret to keep them under. */
export function requireTokenSecret(read: Read, context: z.RefinementCtx): void {
  if (!read.MCP_OAUTH_ENABLED || read.MCP_OAUTH_TOKEN_SECRET !== undefined || read.APP_SECRET !== undefined) return;
  const message = "is needed unless APP_SECRET is set: the same for every process; or set MCP_OAUTH_ENABLED=false";
  context.addIssue({ code: "custom", path: ["MCP_OAUTH_TOKEN_SECRET"], message });
}

/** The keys of the tokens: their own secret, else that of the installation. Undefined where no app may connect. */
export function oauthKeysOf(read: Read): OauthKeys | undefined {
  const secret = read.MCP_OAUTH_TOKEN_SECRET ?? read.APP_SECRET;
  if (!read.MCP_OAUTH_ENABLED || secret === undefined) return undefined;
  return oauthKeys({ secret, previous: read.MCP_OAUTH_TOKEN_SECRET_PREVIOUS });
}
