import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider, type ProviderOptions } from "./memory-provider.ts";
import { type Connection, currentLines, type Line, lines, old } from "./official-clients.ts";
import { type Decision, startTestService, type TestService } from "./test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => {
  service.requests.length = 0;
});
afterAll(() => service.close());

const registrations = () => service.requests.filter((request) => request === "POST /oauth/register").length;
const redirectUri = "http://127.0.0.1:33418/callback";

/** Connects as a host does: the SDK says that the user has to be asked, and goes on once they were. */
async function connect(line: Line, provider: MemoryProvider, decision: Decision = {}): Promise<Connection> {
  const first = line.connect(service.mcp, provider);
  await expect(first.open()).rejects.toThrow(/unauthorized/i);
  await authorize(first, provider, decision);
  await first.close();
  const second = line.connect(service.mcp, provider);
  await second.open();
  return second;
}

async function authorize(connection: Connection, provider: MemoryProvider, decision: Decision = {}): Promise<void> {
  const back = await service.approve(provider.lastAsked, decision);
  expect(back.href.startsWith(`${new URL(provider.redirectUrl).href}?`)).toBe(true);
  expect(back.searchParams.get("state")).toBe("a state");
  await connection.finish(back);
}

const listing = (connection: Connection) => connection.call("list_collections");
const collections = { structuredContent: { collections: expect.any(Array) } };
const writing = (connection: Connection) =>
  connection.call("create_document", {
    collectionId: service.world.collections.open,
    title: "From afar",
    markdown: "Text.",
  });

describe.each(lines.map((line) => [line.name, line] as const))("%s with its own auth code", (_name, line) => {
  it("starts from a 401, discovers the server, registers, and calls a tool with its token", {
    meta: { proves: ["decision.oauth.foreign-clients", "oauth.discovery", "oauth.access-token"] },
  }, async () => {
    const provider = new MemoryProvider();
    const connection = await connect(line, provider);
    expect(provider.lastAsked.origin + provider.lastAsked.pathname).toBe(`${service.origin}/oauth/authorize`);
    expect(Object.fromEntries(provider.lastAsked.searchParams)).toMatchObject({
      resource: service.mcp.href,
      code_challenge_method: "S256",
      client_id: provider.information?.client_id,
      scope: expect.stringMatching(/^read write( offline_access)?$/),
    });
    expect(provider.kept).toMatchObject({ token_type: "Bearer", scope: "read write" });
    expect(await listing(connection)).toMatchObject(collections);
    expect(await writing(connection)).toMatchObject({ structuredContent: { title: "From afar" } });
    await connection.close();
    expect(registrations()).toBe(1);
  });

  it.each<[string, ProviderOptions["metadata"]]>([
    ["client_secret_basic", { token_endpoint_auth_method: "client_secret_basic" }],
    ["client_secret_post", { token_endpoint_auth_method: "client_secret_post" }],
    [
      "no method named, no name, a scope that there is not",
      {
        token_endpoint_auth_method: undefined,
        client_name: undefined,
        scope: "openid mcp:tools",
      },
    ],
  ])(
    "registered with %s",
    { meta: { proves: ["decision.oauth.client-authentication", "decision.oauth.registration"] } },
    async (_what, metadata) => {
      const provider = new MemoryProvider({ metadata: metadata ?? {} });
      const connection = await connect(line, provider);
      expect(provider.information?.client_secret).toEqual(expect.any(String));
      expect(await listing(connection)).toMatchObject(collections);
      await connection.close();
    },
  );

  it("does not register if its id is a metadata document", {
    meta: { proves: ["decision.oauth.foreign-clients", "decision.oauth.documents"] },
  }, async () => {
    const clientMetadataUrl = service.site.serve({ redirect_uris: [redirectUri], client_name: "A documented client" });
    const provider = new MemoryProvider({ clientMetadataUrl });
    const connection = await connect(line, provider);
    expect(provider.information?.client_id).toBe(clientMetadataUrl);
    expect(await listing(connection)).toMatchObject(collections);
    await connection.close();
    expect(registrations()).toBe(0);
  });

  it("refreshes an expired access token without asking the user", {
    meta: { proves: ["oauth.access-token"] },
  }, async () => {
    const provider = new MemoryProvider();
    const connection = await connect(line, provider);
    const before = provider.kept;
    service.clock.advance(3_600_000);
    expect(await listing(connection)).toMatchObject(collections);
    expect(provider.kept?.access_token).not.toBe(before?.access_token);
    expect(provider.kept?.refresh_token).not.toBe(before?.refresh_token);
    expect(provider.asked).toHaveLength(1);
    await connection.close();
  });

  it("registers again after invalid_client if it was deleted, and asks for consent again", {
    meta: { proves: ["decision.oauth.clients-swept"] },
  }, async () => {
    const provider = new MemoryProvider({ metadata: { client_name: `Forgotten ${line.name}` } });
    await (await connect(line, provider)).close();
    await service.world.service.database.client.oauthClient.delete({
      where: { id: provider.information?.client_id ?? "" },
    });
    const before = registrations();
    const connection = await connect(line, provider);
    expect(registrations()).toBe(before + 1);
    expect(provider.asked).toHaveLength(2);
    expect(await listing(connection)).toMatchObject(collections);
    await connection.close();
  });

  it("may use any free loopback port", {
    meta: { proves: ["decision.oauth.redirect-uris"] },
  }, async () => {
    const provider = new MemoryProvider();
    await (await connect(line, provider)).close();
    const other = new MemoryProvider({ redirectUrl: "http://127.0.0.1:50123/callback" });
    other.information = provider.information;
    const connection = await connect(line, other);
    expect(await listing(connection)).toMatchObject(collections);
    await connection.close();
  });
});

describe("a user who first grants less than requested, and more later", () => {
  /** The user is asked again; the same connection goes on, in its session where it has one. */
  async function askAgain(connection: Connection, provider: MemoryProvider): Promise<void> {
    expect(provider.lastAsked.searchParams.get("scope")?.split(" ")).toEqual(expect.arrayContaining(["read", "write"]));
    await authorize(connection, provider, { scope: "read write" });
    expect(provider.kept?.scope).toBe("read write");
    expect(await writing(connection)).toMatchObject({ structuredContent: { title: "From afar" } });
    await connection.close();
  }

  it.each(currentLines.map((line) => [line.name, line] as const))(
    "%s: the 403 challenge leads to the question, and the call goes through afterwards",
    { meta: { proves: ["decision.oauth.foreign-clients"] } },
    async (_name, line) => {
      const provider = new MemoryProvider();
      const connection = await connect(line, provider, { scope: "read" });
      expect(provider.kept?.scope).toBe("read");
      expect(await listing(connection)).toMatchObject(collections);
      await expect(writing(connection)).rejects.toThrow(/unauthorized/i);
      expect(provider.asked).toHaveLength(2);
      await askAgain(connection, provider);
    },
  );

  it("@modelcontextprotocol/sdk 1.x without a refresh token: the same", async () => {
    const provider = new MemoryProvider({ forgetful: true });
    const connection = await connect(old, provider, { scope: "read" });
    await expect(writing(connection)).rejects.toThrow(/unauthorized/i);
    await askAgain(connection, provider);
  });

  it("@modelcontextprotocol/sdk 1.x with a refresh token fails to refresh and reports it; its host drops the tokens and requests both scopes", async () => {
    const provider = new MemoryProvider();
    const connection = await connect(old, provider, { scope: "read" });
    await expect(writing(connection)).rejects.toThrow("403 after trying upscoping");
    expect(provider.kept?.scope).toBe("read");
    provider.invalidateCredentials("tokens");
    await expect(writing(connection)).rejects.toThrow(/unauthorized/i);
    await askAgain(connection, provider);
  });
});

describe("the callbacks of known clients", () => {
  it.each([
    "https://claude.ai/api/mcp/auth_callback",
    "https://claude.com/api/mcp/auth_callback",
    "https://chatgpt.com/connector/oauth/kV9aZ3",
    "http://localhost:6274/oauth/callback",
    "http://127.0.0.1:33418",
    "cursor://anysphere.cursor-mcp/oauth/user-kb/callback",
    "https://vscode.dev/redirect",
    "http://[::1]:8080/callback",
  ])("%s receives a valid code", async (redirectUrl) => {
    const provider = new MemoryProvider({ redirectUrl });
    const connection = await connect(old, provider);
    expect(await listing(connection)).toMatchObject(collections);
    await connection.close();
  });
});
