import { oauthKeys } from "@kb/auth";
import { switchMcp } from "@kb/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startInstance } from "./setting.ts";
import { bearer, beginSession, initialize, letIn, type McpWorld, openWorld, ping, post } from "./world.ts";

let opened: McpWorld;
let url: URL;
let key: string;

beforeAll(async () => {
  opened = await openWorld();
  url = opened.instance.url;
  key = opened.world.people.admin.key;
});
afterAll(() => opened?.close());

describe("who may come in", () => {
  it("without a credential: 401 with the scopes to ask for and no error", {
    meta: { proves: ["mcp.unauthorized"] },
  }, async () => {
    const answer = await post(url, ping);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer scope="read write"');
    expect(await answer.json()).toMatchObject({ code: "authentication_required" });
  });

  it.each([
    ["an unknown key", "kb_0000000000000000000000000000000AbCdE"],
    ["a channel token", "kbc_0000000000000000000000000000000AbCdE"],
    ["a word", "word"],
  ])("with %s: 401 invalid_token", { meta: { proves: ["mcp.unauthorized"] } }, async (_name, token) => {
    const answer = await post(url, ping, bearer(token));
    expect(answer.status).toBe(401);
    expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer error="invalid_token", scope="read write"');
    expect(await answer.json()).toMatchObject({ code: "invalid_api_key" });
  });

  it("with a log-in's cookie: 401, an assistant is no browser", { meta: { proves: ["mcp.credentials"] } }, async () => {
    const { cookie } = await opened.world.session(opened.world.people.admin);
    expect((await post(url, initialize(), { Cookie: cookie })).status).toBe(401);
  });

  it("where OAuth is served the challenge says where its metadata is", async () => {
    const other = await startInstance({
      database: opened.world.service.database,
      oauthKeys: oauthKeys({ secret: "a secret" }),
    });
    const challenge = (await post(other.url, ping)).headers.get("WWW-Authenticate");
    const metadata = `${other.url.origin}/.well-known/oauth-protected-resource/api/mcp`;
    expect(challenge).toBe(`Bearer resource_metadata="${metadata}", scope="read write"`);
    await other.close();
  });

  it("a team that has not switched MCP on: 403 mcp_disabled, with and without a session", {
    meta: { proves: ["mcp.enabled"] },
  }, async () => {
    const session = await beginSession(url, key);
    await letIn(opened.world, false);
    try {
      for (const headers of [bearer(key), session]) {
        const answer = await post(url, ping, headers);
        expect({ status: answer.status, body: await answer.json() }).toMatchObject({
          status: 403,
          body: { code: "mcp_disabled" },
        });
      }
    } finally {
      await letIn(opened.world, true);
    }
  });

  it("sessions from before the switch was turned have ended", { meta: { proves: ["mcp.enabled"] } }, async () => {
    const session = await beginSession(url, key);
    const { service, teamId } = opened.world;
    for (const on of [false, true]) await switchMcp(service.database.client, teamId, on, new Date(Date.now() + 1));
    await new Promise((later) => setTimeout(later, 5));
    expect((await post(url, ping, session)).status).toBe(404);
    expect((await post(url, ping, await beginSession(url, key))).status).toBe(200);
  });
});

describe("what is taken", () => {
  it("a foreign Origin is 403, our own is not", async () => {
    for (const origin of ["https://evil.example", "null", `${url.origin}.evil.example`, "http://localhost:1"]) {
      const answer = await post(url, initialize(), { ...bearer(key), Origin: origin });
      expect({ origin, status: answer.status }).toEqual({ origin, status: 403 });
    }
    expect((await post(url, initialize(), { ...bearer(key), Origin: url.origin })).status).toBe(200);
  });

  it("an unknown MCP-Protocol-Version is 400, with a session and without", async () => {
    const session = await beginSession(url, key);
    const unknown = { "MCP-Protocol-Version": "2031-01-01" };
    expect((await post(url, ping, { ...session, ...unknown })).status).toBe(400);
    expect((await fetch(url, { headers: { ...session, ...unknown } })).status).toBe(400);
    expect((await fetch(url, { method: "DELETE", headers: { ...session, ...unknown } })).status).toBe(400);
    const modern = { ...ping, params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2031-01-01" } } };
    expect((await post(url, modern, { ...bearer(key), ...unknown })).status).toBe(400);
  });

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("revision %s is spoken", async (revision) => {
    const answer = await post(url, initialize(revision), bearer(key));
    expect(await answer.json()).toMatchObject({ result: { protocolVersion: revision } });
  });

  it("a body over 4 MB is 413, told in the words of the service", async () => {
    const message = { ...ping, params: { padding: "x".repeat(4 * 1024 * 1024) } };
    const answer = await post(url, message, bearer(key));
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 413,
      body: { code: "payload_too_large" },
    });
  });

  it("what is not JSON is 415, what is broken JSON is a JSON-RPC parse error", async () => {
    const text = await post(url, ping, { ...bearer(key), "Content-Type": "text/plain" });
    expect({ status: text.status, body: await text.json() }).toMatchObject({
      status: 415,
      body: { code: "unsupported_media_type" },
    });
    for (const body of ["{", "", "\ufeff[", '{"jsonrpc":"1.0"}', "[]", "7"]) {
      const answer = await post(url, body, bearer(key));
      expect({ body, status: answer.status }).toEqual({ body, status: 400 });
    }
  });

  it("other methods are 405 with Allow, HEAD opens no stream", async () => {
    for (const method of ["PUT", "PATCH", "HEAD", "OPTIONS"]) {
      const answer = await fetch(url, { method, headers: bearer(key) });
      expect({ method, status: answer.status, allow: answer.headers.get("Allow") }).toEqual({
        method,
        status: 405,
        allow: "GET, POST, DELETE",
      });
    }
  });

  it("a request that names no session is 400 and asks for one", async () => {
    const get = { headers: { ...bearer(key), Accept: "text/event-stream" } };
    for (const answer of [await post(url, ping, bearer(key)), await fetch(url, get)]) {
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { code: "validation_error", error: expect.stringContaining("Mcp-Session-Id") },
      });
    }
  });
});

describe("the rate limit", () => {
  it("counts each request as one, and each request of a batch; an answer over it is 429 with Retry-After", {
    meta: { proves: ["decision.mcp.batch-counts"] },
  }, async () => {
    const { admin } = opened.world.people;
    const limited = await startInstance({ database: opened.world.service.database, perMinute: 6 });
    const session = await beginSession(limited.url, admin.key, "2025-03-26");
    const call = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "list_collections", arguments: {} },
    });
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    const read = { ...call(2), method: "resources/read", params: { uri: "kb://documents/unknown" } };
    const batch = await post(limited.url, [call(1), read, initialized, ping], session);
    expect(batch.status).toBe(200);
    await batch.text();
    expect(batch.headers.get("X-RateLimit-Remaining")).toBe("2");
    const stream = await fetch(limited.url, { headers: session });
    expect(stream.headers.get("X-RateLimit-Remaining")).toBe("1");
    await stream.body?.cancel();
    expect((await post(limited.url, ping, session)).status).toBe(200);
    const refused = await post(limited.url, call(4), session);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    const retryAfterSeconds = Number(refused.headers.get("Retry-After"));
    expect(await refused.json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32_000,
        message: expect.stringMatching(/\w\.$/),
        data: { code: "rate_limited", retryAfterSeconds },
      },
      code: "rate_limited",
      retryAfterSeconds,
    });
    const streamless = await fetch(limited.url, { headers: session });
    expect([streamless.status, await streamless.json()]).toEqual([
      429,
      { error: expect.any(String), code: "rate_limited", retryAfterSeconds: expect.any(Number) },
    ]);
    await limited.close();
  });

  it("runs no request of a batch that exceeds the window", {
    meta: { proves: ["decision.mcp.batch-counts"] },
  }, async () => {
    const { admin } = opened.world.people;
    const limited = await startInstance({ database: opened.world.service.database, perMinute: 6 });
    const session = await beginSession(limited.url, admin.key, "2025-03-26");
    const batch = Array.from({ length: 6 }, (_, id) => ({ ...ping, id }));
    const refused = await post(limited.url, batch, session);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "rate_limited" });
    const accepted = await post(limited.url, batch.slice(2), session);
    expect(accepted.status).toBe(200);
    expect((await accepted.text()).match(/"result"/g)).toHaveLength(4);
    await limited.close();
  });
});
