import type { Actor } from "@kb/auth";
import { describe, expect, it } from "vitest";
import { authInfoOf } from "./auth-info.ts";
import { appOf, principalOf } from "./caller.ts";

const actor: Actor = {
  teamId: "t",
  userId: "u",
  userName: "U",
  email: "u@example.com",
  systemAdmin: false,
  capabilities: new Set(),
  groupIds: [],
  scopes: new Set(["read"]),
  restrictedKeyId: null,
  credential: { kind: "api_key", id: "k", name: "Key" },
};
const url = new URL("https://wiki.example.com/api/mcp");
const metadataUrl = "https://wiki.example.com/.well-known/oauth-protected-resource/api/mcp";
const infoOf = (who: Actor) =>
  authInfoOf(
    { actor: who, principal: principalOf(who), call: {}, authenticateAgain: async () => who },
    { url, metadataUrl },
  );

describe("the caller's data for the SDK", () => {
  it("of a token: its app, its end, its resource, and never the secret", {
    meta: { proves: ["mcp.credentials"] },
  }, () => {
    const expiresAt = new Date("2030-01-01T12:00:00.900Z");
    const token = { hash: new Uint8Array(32), expiresAt, clientId: "app", resource: url.href };
    const app: Actor = { ...actor, credential: { kind: "oauth", id: "g", name: "App", token } };
    expect(infoOf(app)).toEqual({
      token: "grant:g",
      clientId: "app",
      scopes: ["read"],
      resource: url,
      resourceMetadataUrl: metadataUrl,
      expiresAt: new Date("2030-01-01T12:00:00Z").getTime() / 1000,
    });
    expect(appOf(app)).toBe("t u app");
  });

  it("of a key: it is good for another hour whenever it comes", () => {
    const info = infoOf(actor);
    expect(info).toMatchObject({ token: "key:k", clientId: "key:k", resource: url });
    expect(Math.abs((info.expiresAt ?? 0) - Date.now() / 1000 - 3600)).toBeLessThan(5);
    expect(appOf(actor)).toBeUndefined();
  });
});
