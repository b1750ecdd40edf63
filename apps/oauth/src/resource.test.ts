import { describe, expect, it } from "vitest";
import { parametersOf } from "./parameters/read-parameters.ts";
import { requireResource } from "./resource.ts";
import { askedScopes } from "./scopes.ts";

const appUrl = "https://wiki.example.com";
const own = "https://wiki.example.com/api/mcp";
const asking = (...resources: string[]) =>
  requireResource(appUrl, parametersOf(new URLSearchParams(resources.map((resource) => ["resource", resource]))));

describe("the resource that tokens are asked for (RFC 8707)", () => {
  it("none is the MCP endpoint; so is it by its name, with a slash, in upper case, twice [decision.oauth.resource]", () => {
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
  ])("§2: %s is invalid_target [decision.oauth.resource]", (resource) => {
    expect(() => asking(resource)).toThrow(expect.objectContaining({ code: "invalid_target" }));
    expect(() => asking(own, resource)).toThrow(expect.objectContaining({ code: "invalid_target" }));
  });

  it("§2: a resource MUST NOT have a fragment", () => {
    for (const resource of [`${own}#x`, `${own}#`]) {
      expect(() => asking(resource)).toThrow(expect.objectContaining({ code: "invalid_target" }));
    }
  });
});

describe("the scope that is asked for", () => {
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
  ])("%j is %j: unknown ones are dropped, never admin [decision.oauth.scopes]", (scope, asked) => {
    expect(askedScopes(scope)).toEqual(asked);
  });
});
