import { type OauthKeys, oauthKeys } from "@kb/auth";
import type { z } from "zod";
import { AppSecret, Switch } from "../env.ts";

/** The environment of whatever knows the tokens of connected apps; they may connect unless it says otherwise. */
export const OauthTokenVariables = {
  MCP_OAUTH_ENABLED: Switch.optional(),
  MCP_OAUTH_TOKEN_SECRET: AppSecret.optional(),
  MCP_OAUTH_TOKEN_SECRET_PREVIOUS: AppSecret.optional(),
};

type Read = {
  readonly MCP_OAUTH_ENABLED?: boolean | undefined;
  readonly MCP_OAUTH_TOKEN_SECRET?: string | undefined;
  readonly MCP_OAUTH_TOKEN_SECRET_PREVIOUS?: string | undefined;
  readonly APP_SECRET?: string | undefined;
  readonly APP_SECRET_PREVIOUS?: string | undefined;
};

/** Who asks for connected apps gives their tokens a secret. */
export function requireTokenSecret(read: Read, context: z.RefinementCtx): void {
  if (read.MCP_OAUTH_ENABLED !== true || read.MCP_OAUTH_TOKEN_SECRET !== undefined || read.APP_SECRET !== undefined)
    return;
  const message = "is needed where APP_SECRET is not set: the same for every process";
  context.addIssue({ code: "custom", path: ["MCP_OAUTH_TOKEN_SECRET"], message });
}

/** The keys of the tokens: of their own secret, else of the installation's. Undefined where no app may connect. */
export function oauthKeysOf(read: Read): OauthKeys | undefined {
  const secret = read.MCP_OAUTH_TOKEN_SECRET ?? read.APP_SECRET;
  if (read.MCP_OAUTH_ENABLED === false || secret === undefined) return undefined;
  // Without a secret of their own they follow that of the installation, also when it is changed.
  const ofInstallation = read.MCP_OAUTH_TOKEN_SECRET === undefined ? read.APP_SECRET_PREVIOUS : undefined;
  return oauthKeys({ secret, previous: read.MCP_OAUTH_TOKEN_SECRET_PREVIOUS ?? ofInstallation });
}
