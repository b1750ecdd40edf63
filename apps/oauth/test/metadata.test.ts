import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "./programs.ts";
import { openSetting, type Setting } from "./setting.ts";

const server = "/.well-known/oauth-authorization-server";
const resource = "/.well-known/oauth-protected-resource";
const appUrl = "https://wiki.example.com";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting({ appUrl });
});
afterAll(() => setting.close());

describe("the metadata of the authorization server (RFC 8414)", () => {
  it("§2: lists every property, with all endpoints at the issuer", {
    meta: { proves: ["oauth.authorization-server", "oauth.issuer", "decision.oauth.metadata"] },
  }, async () => {
    const { status, headers, body } = await ask(setting, server);
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(body).toEqual({
      issuer: appUrl,
      authorization_endpoint: `${appUrl}/oauth/authorize`,
      token_endpoint: `${appUrl}/oauth/token`,
      registration_endpoint: `${appUrl}/oauth/register`,
      revocation_endpoint: `${appUrl}/oauth/revoke`,
      scopes_supported: ["read", "write", "offline_access"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: [`${appUrl}/api/mcp`],
      service_documentation: `${appUrl}/docs`,
    });
  });

  it("§2: the issuer has no query and no fragment, and does not depend on Host", {
    meta: { proves: ["oauth.issuer", "decision.oauth.issuer"] },
  }, async () => {
    const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" };
    for (const path of [server, resource, `${resource}/api/mcp`]) {
      const { body } = await ask(setting, `http://evil.example${path}`, { headers });
      expect(JSON.stringify(body)).not.toContain("evil.example");
    }
    expect((await ask(setting, server)).body.issuer).toBe(appUrl);
  });

  it("every endpoint in it exists", async () => {
    const { body } = await ask(setting, server);
    for (const name of ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"]) {
      const { pathname } = new URL(String(body[name]));
      expect([name, (await ask(setting, pathname, { method: "POST" })).status]).not.toEqual([name, 404]);
    }
  });

  it("§3.2, RFC 9728 §3.2: a property without a value is omitted, not empty", async () => {
    for (const path of [server, resource]) {
      for (const value of Object.values((await ask(setting, path)).body)) {
        expect([null, ""]).not.toContain(value);
        if (Array.isArray(value)) expect(value.length).toBeGreaterThan(0);
      }
    }
  });

  it("RFC 9207 §2.3, Client ID Metadata Document §6, MCP authorization: announces iss, metadata documents and S256", async () => {
    expect((await ask(setting, server)).body).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ["S256"],
    });
  });

  it("§3.3: is 404 at the address of any other issuer", async () => {
    for (const path of [`${server}/api/mcp`, "/.well-known/openid-configuration", `${server}/`]) {
      expect((await ask(setting, path)).status, path).toBe(404);
    }
  });
});

describe("the metadata of the resource (RFC 9728)", () => {
  it("§3.1: is at the root and at the well-known path with the resource inserted", {
    meta: { proves: ["oauth.protected-resource", "decision.oauth.metadata"] },
  }, async () => {
    for (const path of [resource, `${resource}/api/mcp`]) {
      const { status, headers, body } = await ask(setting, path);
      expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
      expect(body).toEqual({
        resource: `${appUrl}/api/mcp`,
        authorization_servers: [appUrl],
        scopes_supported: ["read", "write"],
        bearer_methods_supported: ["header"],
        resource_name: "Knowledge base",
        resource_documentation: `${appUrl}/docs`,
      });
    }
  });

  it("§3.3: names the requested resource, and any other resource is 404", async () => {
    expect((await ask(setting, `${resource}/api/mcp`)).body.resource).toBe(`${appUrl}/api/mcp`);
    for (const path of ["/api/v1", "/api", "/api/mcp/x"]) {
      expect((await ask(setting, `${resource}${path}`)).status, path).toBe(404);
    }
  });

  it("MCP authorization: names an authorization server, whose metadata has that issuer", async () => {
    const { body } = await ask(setting, `${resource}/api/mcp`);
    expect(body.authorization_servers).toEqual([(await ask(setting, server)).body.issuer]);
  });
});

describe("access to the metadata", () => {
  it.each([server, resource, `${resource}/api/mcp`])(
    "%s: allowed with any credential, from pages of any origin",
    { meta: { proves: ["decision.oauth.metadata"] } },
    async (path) => {
      const headers = { Origin: "https://inspector.example", Authorization: "Bearer nonsense", Cookie: "kb_session=x" };
      const answer = await ask(setting, path, { headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(answer.headers.get("Set-Cookie")).toBeNull();
      const preflight = await ask(setting, path, {
        method: "OPTIONS",
        headers: {
          Origin: "https://inspector.example",
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "mcp-protocol-version",
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET");
      expect(preflight.headers.get("Access-Control-Allow-Headers")?.toLowerCase()).toContain("mcp-protocol-version");
    },
  );

  it.each(["POST", "PUT", "DELETE"])("%s is 405 with the allowed methods", async (method) => {
    const { status, headers, body } = await ask(setting, server, { method });
    expect([status, headers.get("Allow"), body.error]).toEqual([405, "GET, OPTIONS", "invalid_request"]);
  });

  it("needs no database", async () => {
    const own = await openSetting({ appUrl });
    await own.close();
    expect((await ask(own, server)).status).toBe(200);
  });
});

describe("without an authorization server", () => {
  it("returns 404", { meta: { proves: ["decision.oauth.off"] } }, async () => {
    const off = await openSetting({ authorization: undefined });
    try {
      const paths = [server, resource, `${resource}/api/mcp`, "/oauth/authorize"];
      for (const path of paths) expect((await ask(off, path)).status, path).toBe(404);
      for (const path of ["/oauth/register", "/oauth/token", "/oauth/revoke", "/oauth/authorize"]) {
        expect((await ask(off, path, { method: "POST" })).status, path).toBe(404);
      }
    } finally {
      await off.close();
    }
  });
});
