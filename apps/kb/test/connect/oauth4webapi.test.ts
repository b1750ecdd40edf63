import { sweep } from "@kb/core";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "./test-service.ts";

const redirectUri = "https://app.example/callback";
/** Allows plain HTTP: the service is on this machine. */
const insecure = { [oauth.allowInsecureRequests]: true };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Finds the authorization server as a client does that knows only the resource. */
async function discover(): Promise<oauth.AuthorizationServer> {
  const described = await oauth.resourceDiscoveryRequest(service.mcp, insecure);
  const { authorization_servers: [server = ""] = [] } = await oauth.processResourceDiscoveryResponse(
    service.mcp,
    described,
  );
  const issuer = new URL(server);
  const answer = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" });
  return oauth.processDiscoveryResponse(issuer, answer);
}

async function register(as: oauth.AuthorizationServer, method: string): Promise<oauth.Client> {
  const metadata = { redirect_uris: [redirectUri], client_name: "oauth4webapi", token_endpoint_auth_method: method };
  const answer = await oauth.dynamicClientRegistrationRequest(as, metadata, insecure);
  return oauth.processDynamicClientRegistrationResponse(answer);
}

/** From the address that the user opens to the tokens. */
async function allow(as: oauth.AuthorizationServer, client: oauth.Client, authentication: oauth.ClientAuth) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(as.authorization_endpoint ?? "");
  address.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    scope: "read write",
    resource: service.mcp.href,
  }).toString();
  const back = await service.approve(address);
  expect(back.href.startsWith(`${redirectUri}?`)).toBe(true);
  // RFC 9207: it insists on `iss`, since the metadata says that it is sent.
  const answer = oauth.validateAuthResponse(as, client, back, state);
  const exchanged = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    answer,
    redirectUri,
    verifier,
    {
      ...insecure,
      additionalParameters: { resource: service.mcp.href },
    },
  );
  return oauth.processAuthorizationCodeResponse(as, client, exchanged);
}

/** Calls a tool with a token; the status where the endpoint refuses it. */
async function collections(token: string): Promise<unknown> {
  const transport = new StreamableHTTPClientTransport(service.mcp, {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  try {
    await client.connect(asTransport(transport));
    return (await client.callTool({ name: "list_collections", arguments: {} })).structuredContent;
  } finally {
    await client.close();
  }
}

/** Its own types do not agree under `exactOptionalPropertyTypes`: the transport is one. */
const asTransport = (transport: StreamableHTTPClientTransport): Transport => transport as Transport;

const ways: [string, (client: oauth.Client) => oauth.ClientAuth][] = [
  ["none", () => oauth.None()],
  ["client_secret_basic", ({ client_secret }) => oauth.ClientSecretBasic(String(client_secret))],
  ["client_secret_post", ({ client_secret }) => oauth.ClientSecretPost(String(client_secret))],
];

describe("oauth4webapi completes the authorization flow", () => {
  it.each(ways)(
    "%s: discovery, registration, PKCE, code, a tool call, refresh, revocation",
    {
      meta: {
        proves: [
          "decision.oauth.foreign-clients",
          "decision.oauth.client-authentication",
          "oauth.token",
          "oauth.revoke",
        ],
      },
    },
    async (method, authenticationOf) => {
      const as = await discover();
      expect(as.issuer).toBe(service.origin);
      const client = await register(as, method);
      const authentication = authenticationOf(client);
      const tokens = await allow(as, client, authentication);
      expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3_600, scope: "read write" });
      expect(await collections(tokens.access_token)).toMatchObject({ collections: expect.any(Array) });

      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, authentication, String(tokens.refresh_token), insecure),
      );
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      expect(await collections(refreshed.access_token)).toMatchObject({ collections: expect.any(Array) });

      const revoked = await oauth.revocationRequest(
        as,
        client,
        authentication,
        String(refreshed.refresh_token),
        insecure,
      );
      await oauth.processRevocationResponse(revoked);
      await expect(collections(refreshed.access_token)).rejects.toMatchObject({ code: 401 });
    },
  );

  it("a client whose id is a metadata document needs no registration", {
    meta: { proves: ["decision.oauth.foreign-clients", "decision.oauth.documents"] },
  }, async () => {
    const as = await discover();
    expect(as.client_id_metadata_document_supported).toBe(true);
    const client = { client_id: service.site.serve({ redirect_uris: [redirectUri] }) };
    const tokens = await allow(as, client, oauth.None());
    expect(await collections(tokens.access_token)).toMatchObject({ collections: expect.any(Array) });
  });

  it("a user who refuses consent: access_denied, with state and iss", async () => {
    const as = await discover();
    const client = await register(as, "none");
    const verifier = oauth.generateRandomCodeVerifier();
    const address = new URL(as.authorization_endpoint ?? "");
    address.search = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: redirectUri,
      state: "s",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();
    const back = await service.approve(address, { decision: "deny" });
    expect(() => oauth.validateAuthResponse(as, client, back, "s")).toThrow(
      expect.objectContaining({ error: "access_denied" }),
    );
  });

  it("RFC 9207 §2.4: the response has the issuer of the metadata, and the client rejects a missing or different one", async () => {
    const as = await discover();
    const client = await register(as, "none");
    const address = new URL(as.authorization_endpoint ?? "");
    address.search = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: redirectUri,
      state: "s",
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: "S256",
    }).toString();
    const back = await service.approve(address);
    expect(back.searchParams.get("iss")).toBe(as.issuer);
    expect(oauth.validateAuthResponse(as, client, back, "s")).toBeInstanceOf(URLSearchParams);
    for (const iss of [undefined, `${as.issuer}/`, "https://evil.example"]) {
      const bent = new URL(back);
      if (iss === undefined) bent.searchParams.delete("iss");
      else bent.searchParams.set("iss", iss);
      expect(() => oauth.validateAuthResponse(as, client, bent, "s")).toThrow(/iss/);
    }
  });

  it("a client that is in use outlives the 48 hours of unused clients", {
    meta: { proves: ["decision.oauth.clients-swept"] },
  }, async () => {
    const as = await discover();
    const used = await register(as, "client_secret_post");
    const unused = await register(as, "client_secret_post");
    const authentication = oauth.ClientSecretPost(String(used.client_secret));
    const tokens = await allow(as, used, authentication);
    service.clock.advance(49 * 3_600_000);
    await sweep(service.world.service, { trashRetentionDays: 0 });
    const left = await service.world.service.database.client.oauthClient.findMany({
      where: { id: { in: [used.client_id, unused.client_id] } },
    });
    expect(left.map(({ id }) => id)).toEqual([used.client_id]);
    const answer = await oauth.refreshTokenGrantRequest(
      as,
      used,
      authentication,
      String(tokens.refresh_token),
      insecure,
    );
    const { access_token } = await oauth.processRefreshTokenResponse(as, used, answer);
    expect(await collections(access_token)).toMatchObject({ collections: expect.any(Array) });
  });

  it("a client that is no longer registered gets 401 invalid_client", {
    meta: { proves: ["decision.oauth.clients-swept"] },
  }, async () => {
    const as = await discover();
    const client = await register(as, "client_secret_basic");
    const authentication = oauth.ClientSecretBasic(String(client.client_secret));
    const tokens = await allow(as, client, authentication);
    await service.world.service.database.client.oauthClient.delete({ where: { id: client.client_id } });
    const answer = await oauth.refreshTokenGrantRequest(
      as,
      client,
      authentication,
      String(tokens.refresh_token),
      insecure,
    );
    expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Basic /);
    await expect(oauth.processRefreshTokenResponse(as, client, answer)).rejects.toMatchObject({ status: 401 });
  });
});
