import { admin } from "@kb/core";
import { connectApp } from "@kb/core/testing";
import type { One } from "@kb/http/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSetting, type Setting, unknownId } from "./setting.ts";

describe("credentials", () => {
  const clock = testClock();
  const statements: string[] = [];
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting({ clock, connect: { onQuery: (text) => statements.push(text) } });
  });
  beforeEach(() => {
    statements.length = 0;
  });
  afterAll(() => setting.close());

  it("a request without a key is 401 and explains how to authenticate", {
    meta: { proves: ["errors.unauthorized", "decision.api.www-authenticate", "auth.bearer"] },
  }, async () => {
    const { status, headers, body } = await setting.as(null).get("/api/v1/me");
    expect({ status, body }).toEqual({
      status: 401,
      body: { error: expect.stringContaining("Bearer"), code: "authentication_required" },
    });
    expect(headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it.each([
    ["a word", "Bearer word"],
    ["an unknown key of the right form", "Bearer kb_0000000000000000000000000000000AbCdE"],
    ["a channel token", "Bearer kbc_0000000000000000000000000000000AbCdE"],
    ["another scheme", "Basic YTpi"],
    ["no token", "Bearer "],
    ["two tokens", "Bearer a b"],
  ])(
    "%s is an invalid key",
    { meta: { proves: ["errors.unauthorized", "decision.api.code.authentication"] } },
    async (_, header) => {
      const reply = await setting.as(null).get("/api/v1/me", { Authorization: header });
      expect(reply).toMatchObject({ status: 401, body: { code: "invalid_api_key" } });
      expect(reply.headers.get("WWW-Authenticate")).toBe("Bearer");
    },
  );

  it("the access token of an app is 401 on /api/v1 with any scope, and 403 where only people are allowed", {
    meta: { proves: ["decision.oauth.audience"] },
  }, async () => {
    const { world } = setting;
    await admin.setMcp(world.service, world.teamId, true);
    const { accessToken, refreshToken } = await connectApp(world, world.people.admin);
    const app = setting.as(accessToken);
    for (const path of ["/api/v1/me", "/api/v1/documents", "/api/v1/auth.me", "/api/nothing"]) {
      const { status, body } = await app.get(path);
      expect([path, status]).toEqual([path, 401]);
      expect(body).toMatchObject({ code: "invalid_api_key", error: expect.stringContaining("only valid at /api/mcp") });
    }
    expect((await app.post("/api/v1/documents", { title: "By an app" })).status).toBe(401);
    for (const name of ["auth.me", "apiKeys.create", "oauth.apps.list"]) {
      expect(await app.post(`/api/${name}`, {})).toMatchObject({ status: 403, body: { code: "forbidden" } });
      expect(await setting.as(refreshToken).post(`/api/${name}`, {})).toMatchObject({ status: 401 });
    }
  });

  it("a key is kb_, 30 base62 characters and a checksum of 6; a typing error costs no look-up", {
    meta: { proves: ["decision.access.key-format"] },
  }, async () => {
    const { key } = setting.world.people.member;
    expect(key).toMatch(/^kb_[0-9A-Za-z]{36}$/);
    const typo = `${key.slice(0, 10)}${key[10] === "a" ? "b" : "a"}${key.slice(11)}`;
    expect((await setting.as(typo).get("/api/v1/me")).status).toBe(401);
    expect(statements).toEqual([]);
    expect((await setting.as(key).get<One<object>>("/api/v1/me")).status).toBe(200);
    expect(statements.length).toBeGreaterThan(0);
  });

  it("every path below /api is authenticated before it is looked up", {
    meta: { proves: ["service.api-authenticated", "decision.api.unknown-path"] },
  }, async () => {
    const { member } = setting.world.people;
    for (const path of ["/api/v1/nothing", "/api/nothing", "/api/v1/documents", "/api/mcp.unknown", "/api/"]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        expect((await setting.as(null).send(method, path)).status).toBe(401);
      }
    }
    expect(await setting.as(member).get("/api/v1/nothing")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await setting.as(member).post("/api/nothing", {})).status).toBe(404);
  });

  it("reading needs read, changing needs write; write does not include read", {
    meta: { proves: ["auth.scopes", "auth.scope.read", "auth.scope.write", "decision.access.scopes"] },
  }, async () => {
    const { world } = setting;
    const { admin: boss } = world.people;
    const read = setting.as(await world.key(boss, ["read"]));
    const write = setting.as(await world.key(boss, ["write"]));
    const document = `/api/v1/documents/${world.documents.guide.id}`;
    const collection = `/api/v1/collections/${world.collections.open}`;
    const reads = [
      "/api/v1/me",
      "/api/v1/documents",
      document,
      `${document}/revisions`,
      `${document}/revisions/1`,
      "/api/v1/search?query=guide",
      "/api/v1/collections",
      collection,
      "/api/v1/tags",
    ];
    for (const path of reads) {
      expect((await read.get<object>(path)).status, path).toBe(200);
      expect(await write.get(path), path).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    }
    const created = { title: "By a write key", collectionId: world.collections.open };
    const changes: [string, string, object | undefined][] = [
      ["POST", "/api/v1/documents", created],
      ["PATCH", document, { title: "Guide" }],
      ["DELETE", `/api/v1/documents/${unknownId}`, undefined],
      ["POST", `/api/v1/documents/${unknownId}/restore`, undefined],
      ["POST", `${document}/unarchive`, undefined],
      ["POST", `${document}/edits`, { op: "append", markdown: "x", dryRun: true }],
      ["POST", `${document}/revisions/1/restore`, undefined],
      ["POST", "/api/v1/collections", { name: "By a write key" }],
      ["PATCH", collection, {}],
      ["POST", `${collection}/unarchive`, undefined],
      ["POST", "/api/v1/tags", { name: "guide" }],
    ];
    for (const [method, path, json] of changes) {
      const refused = await read.send(method, path, { json });
      expect(refused, `${method} ${path}`).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
      expect((await write.send(method, path, { json })).status, `${method} ${path}`).toBeOneOf([200, 201, 404]);
    }
  });

  it("a key without read that fetches a collection is forbidden", {
    meta: { proves: ["errors.scope.collection-fetch", "decision.api.code.forbidden"] },
  }, async () => {
    const write = setting.as(await setting.world.key(setting.world.people.admin, ["write"]));
    const { status, body } = await write.get(`/api/v1/collections/${setting.world.collections.open}`);
    expect({ status, body }).toEqual({ status: 403, body: { error: expect.any(String), code: "insufficient_scope" } });
  });

  it("admin implies read and write", { meta: { proves: ["decision.access.scopes"] } }, async () => {
    const key = setting.as(await setting.world.key(setting.world.people.editor, ["admin"]));
    expect((await key.get<object>("/api/v1/documents")).status).toBe(200);
    expect((await key.post<object>("/api/v1/collections", { name: "By an admin key" })).status).toBe(201);
  });

  it("a key never exceeds the permissions of its owner", {
    meta: { proves: ["decision.access.key-owner"] },
  }, async () => {
    const key = setting.as(await setting.world.key(setting.world.people.viewer, ["read", "write", "admin"]));
    const refused = await key.post("/api/v1/documents", { collectionId: setting.world.collections.open });
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("the keys of a suspended owner stop at once", { meta: { proves: ["decision.access.key-owner"] } }, async () => {
    const { world } = setting;
    const email = `leaver-${world.teamId}@example.org`;
    await admin.createUser(world.service, { email, name: "Leaver", group: "Editors", team: world.teamId });
    const { key } = await admin.createApiKey(world.service, { userEmail: email, scopes: ["read"] });
    expect((await setting.as(key).get<object>("/api/v1/me")).status).toBe(200);
    await admin.suspendUser(world.service, email);
    expect(await setting.as(key).get("/api/v1/me")).toMatchObject({ status: 401, body: { code: "invalid_api_key" } });
  });

  it("a key past its expiry is refused", { meta: { proves: ["decision.access.key-expiry"] } }, async () => {
    const expiresAt = new Date(clock.now().getTime() + 1_000);
    const key = await setting.world.key(setting.world.people.member, ["read"], { expiresAt });
    expect((await setting.as(key).get<object>("/api/v1/me")).status).toBe(200);
    clock.advance(1_000);
    expect(await setting.as(key).get("/api/v1/me")).toMatchObject({ status: 401, body: { code: "invalid_api_key" } });
  });
});
