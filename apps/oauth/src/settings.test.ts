import { defaultLifetimes, oauthKeys } from "@kb/auth";
import { OauthTokenVariables, oauthKeysOf, requireTokenSecret } from "@kb/http";
import { EnvironmentError, readEnvironment } from "@kb/runtime";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AuthorizationVariables, oauthSettings } from "./settings.ts";

const Variables = z.object({ ...OauthTokenVariables, ...AuthorizationVariables, APP_SECRET: z.string().optional() });
const read = (environment: Record<string, string>) => readEnvironment(Variables, environment);

describe("the settings of connected apps", () => {
  const secret = "5f0c9d1be7a34286a9b1c7d20e4f6813";
  const another = "0a9b8c7d6e5f40312213141516171819";
  const hashUnder = (environment: Record<string, string>) => {
    const keys = oauthKeysOf(read(environment));
    return keys && Buffer.from(keys.hash("kbat_x")).toString("hex");
  };
  const hashOf = (of: string) => Buffer.from(oauthKeys({ secret: of }).hash("kbat_x")).toString("hex");

  it("have one variable in seconds for each lifetime and rate", {
    meta: { proves: ["decision.oauth.lifetimes", "decision.oauth.token-limits"] },
  }, () => {
    const keys = oauthKeys({ secret });
    expect(oauthSettings(read({}), keys)).toEqual({
      keys,
      lifetimes: defaultLifetimes,
      registerPerHour: 20,
      tokenPerMinute: 60,
    });
    expect(defaultLifetimes).toEqual({
      codeSeconds: 60,
      accessSeconds: 3600,
      refreshSeconds: 30 * 86_400,
      grantSeconds: 180 * 86_400,
    });
    const set = {
      MCP_OAUTH_CODE_SECONDS: "30",
      MCP_OAUTH_ACCESS_SECONDS: "600",
      MCP_OAUTH_REFRESH_SECONDS: "86400",
      MCP_OAUTH_GRANT_SECONDS: "864000",
      OAUTH_REGISTER_PER_HOUR: "5",
      OAUTH_TOKEN_PER_MINUTE: "7",
    };
    expect(oauthSettings(read(set), keys)).toMatchObject({
      lifetimes: { codeSeconds: 30, accessSeconds: 600, refreshSeconds: 86_400, grantSeconds: 864_000 },
      registerPerHour: 5,
      tokenPerMinute: 7,
    });
    expect(() => read({ MCP_OAUTH_CODE_SECONDS: "601" })).toThrow(EnvironmentError);
  });

  it("use their own token secret, otherwise that of the installation; without both, apps cannot connect", {
    meta: { proves: ["oauth.settings", "decision.oauth.tokens"] },
  }, () => {
    expect(hashUnder({ MCP_OAUTH_TOKEN_SECRET: secret, APP_SECRET: another })).toBe(hashOf(secret));
    expect(hashUnder({ APP_SECRET: another })).toBe(hashOf(another));
    expect(hashUnder({})).toBeUndefined();
    expect(oauthSettings(read({}), oauthKeysOf(read({})))).toBeUndefined();
  });

  it("MCP_OAUTH_ENABLED=false disables them, even with a secret", {
    meta: { proves: ["decision.oauth.off"] },
  }, () => {
    expect(hashUnder({ MCP_OAUTH_ENABLED: "false", MCP_OAUTH_TOKEN_SECRET: secret })).toBeUndefined();
    expect(hashUnder({ MCP_OAUTH_ENABLED: "true", MCP_OAUTH_TOKEN_SECRET: secret })).toBe(hashOf(secret));
  });

  it("MCP_OAUTH_ENABLED=true without any secret is rejected", { meta: { proves: ["oauth.settings"] } }, () => {
    const Checked = Variables.superRefine(requireTokenSecret);
    expect(() => readEnvironment(Checked, { MCP_OAUTH_ENABLED: "true" })).toThrow(
      /MCP_OAUTH_TOKEN_SECRET: is required/,
    );
    for (const fine of [{}, { MCP_OAUTH_ENABLED: "false" }, { MCP_OAUTH_ENABLED: "true", APP_SECRET: secret }]) {
      expect(() => readEnvironment(Checked, fine)).not.toThrow();
    }
  });
});
