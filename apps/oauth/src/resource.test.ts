import { describe, expect, it } from "vitest";
import { parseParameters } from "./parameters.ts";
import { requireResource } from "./resource.ts";
import { readScopes } from "./scopes.ts";

const appUrl = "https://wiki.example.com";
const own = "https://wiki.example.com/api/mcp";
const asking = (...resources: string[]) =>
  requireResource(appUrl, parseParameters(new URLSearchParams(resources.map((resource) => ["resource", resource]))));

describe("the requested resource (RFC 8707)", () => {
  it("is the MCP endpoint if it is omitted, or named with a slash, in upper case or twice", {
    meta: { proves: ["decision.oauth.resource"] },
  }, () => {
    for (const named of [[], [""], [own], [`${own}/`], ["HTTPS://Wiki.Example.com/api/mcp"], [own, own]]) {
      expect(asking(...named)).toBe(own);
    }
  });

  it.each([
    "https://wiki.example.com",
    "https://wiki.example.com/api/v1",
    "https://wiki.example.com/api/mcp/x",
    "https://wiki.example.com/api/mcp?x=1",
    "https://wiki.example.com/api/MCP",
    "http://wiki.example.com/api/mcp",
    "https://evil.example/api/mcp",
    "https://wiki.example.com@evil.example/api/mcp",
    "/api/mcp",
    "api",
  ])("§2: %s is invalid_target", { meta: { proves: ["decision.oauth.resource"] } }, (resource) => {
    expect(() => asking(resource)).toThrow(expect.objectContaining({ code: "invalid_target" }));
    expect(() => asking(own, resource)).toThrow(expect.objectContaining({ code: "invalid_target" }));
  });

  it("§2: a resource MUST NOT have a fragment", () => {
    for (const resource of [`${own}#x`, `${own}#`]) {
      expect(() => asking(resource)).toThrow(expect.objectContaining({ code: "invalid_target" }));
    }
  });
});

describe("the requested scope", () => {
  it.each([
    [undefined, []],
    ["", []],
    ["read", ["read"]],
    ["write", ["read", "write"]],
    ["write read offline_access", ["read", "write"]],
    ["offline_access", []],
    ["admin", []],
    ["admin read", ["read"]],
    ["openid profile email", []],
    ["READ", []],
    ["read  read", ["read"]],
    ["__proto__ constructor", []],
  ])(
    "of %j is %j: unknown scopes are dropped, and admin is never granted",
    { meta: { proves: ["decision.oauth.scopes"] } },
    (scope, asked) => {
      expect(readScopes(scope)).toEqual(asked);
    },
  );
});
