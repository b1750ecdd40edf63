import { createHash } from "node:crypto";
import { sweep } from "@kb/core";
import { allowApp } from "@kb/core/testing";
import { sql } from "@kb/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClients } from "../src/clients/clients.ts";
import { type Answer, ask, registerClient } from "./programs.ts";
import { openSetting, type Setting } from "./setting.ts";

const hour = 3_600_000;
const redirect_uris = ["https://claude.ai/api/mcp/auth_callback"];

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting({ trustedProxies: ["10.0.0.1"] });
});
beforeEach(async () => {
  setting.clock.advance(hour);
  await setting.world.service.database.client.oauthClient.deleteMany();
});
afterAll(() => setting.close());

const register = (metadata: unknown, address?: string) => registerClient(setting, metadata, address);
const rows = () => setting.world.service.database.client.oauthClient.findMany();
const known = (id: unknown) =>
  createClients({
    service: setting.world.service,
    outgoing: () => Promise.reject(new Error("nothing is fetched for a registered client")),
    limiter: { take: async () => ({ allowed: true, remaining: 1, resetMs: 0 }), spend: async () => {} },
  }).findStored(String(id));
const errorOf = ({ status, body, headers }: Answer) => {
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  return [status, body.error];
};

describe("a registration (RFC 7591)", () => {
  it("§3.2.1: returns 201 with all registered metadata, and is not cached", {
    meta: { proves: ["oauth.register", "decision.oauth.registration"] },
  }, async () => {
    const { status, headers, body } = await register({
      redirect_uris,
      client_name: "Claude",
      client_uri: "https://claude.ai",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: "read write",
    });
    expect(status).toBe(201);
    expect([headers.get("Cache-Control"), headers.get("Pragma")]).toEqual(["no-store", "no-cache"]);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(body).toEqual({
      client_id: expect.stringMatching(/^app_[\w-]{32}$/),
      client_id_issued_at: Math.floor(setting.clock.now().getTime() / 1000),
      client_name: "Claude",
      client_uri: "https://claude.ai",
      redirect_uris,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    expect(await known(body.client_id)).toEqual({
      id: body.client_id,
      kind: "dynamic",
      name: "Claude",
      clientUri: "https://claude.ai",
      redirectUris: redirect_uris,
      authentication: "none",
      secretHash: null,
    });
  });

  it.each(["client_secret_basic", "client_secret_post"])(
    "§3.2.1: %s has a secret that never expires, of which only the hash is stored",
    { meta: { proves: ["decision.oauth.registration"] } },
    async (method) => {
      const { body } = await register({ redirect_uris, token_endpoint_auth_method: method });
      expect(body).toMatchObject({ token_endpoint_auth_method: method, client_secret_expires_at: 0 });
      expect(body.client_secret).toMatch(/^[\w-]{43}$/);
      const [row] = await rows();
      expect(JSON.stringify(row)).not.toContain(body.client_secret);
      const hash = createHash("sha256").update(String(body.client_secret)).digest();
      expect(Buffer.from(row?.secretHash ?? "")).toEqual(hash);
      expect(setting.lines.join("\n")).not.toContain(body.client_secret);
    },
  );

  it("§2: the default method is client_secret_basic; every field except redirect_uris may be omitted or null", {
    meta: { proves: ["decision.oauth.registration"] },
  }, async () => {
    expect((await register({ redirect_uris })).body).toMatchObject({
      token_endpoint_auth_method: "client_secret_basic",
    });
    const nothing = { client_name: null, client_uri: null, grant_types: null, response_types: null, scope: null };
    const { status, body } = await register({ redirect_uris, token_endpoint_auth_method: "none", ...nothing });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty("client_name");
    expect((await known(body.client_id))?.name).toBeNull();
  });

  it("§2: unknown metadata MUST be ignored", async () => {
    const unknown = {
      "client_name#de": "Klaude",
      logo_uri: "javascript:x",
      contacts: ["a@example.com"],
      software_id: 7,
      application_type: "native",
      jwks: {},
      jwks_uri: "x",
      dpop_bound_access_tokens: true,
      software_statement: "x",
      client_id: "mine",
      client_secret: "mine",
      scope: "admin",
      __proto__: { kind: "x" },
    };
    const { status, body } = await register({ redirect_uris, token_endpoint_auth_method: "none", ...unknown });
    expect(status).toBe(201);
    for (const name of Object.keys(unknown).filter((key) => key !== "client_id")) expect(body).not.toHaveProperty(name);
    expect(body.client_id).not.toBe("mine");
  });

  it("§2: unsupported grant and response types are dropped; a registration without a supported one is rejected", async () => {
    const more = { grant_types: ["authorization_code", "password"], response_types: ["code", "token"] };
    expect((await register({ redirect_uris, ...more })).body).toMatchObject({
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    for (const wrong of [{ grant_types: ["client_credentials"] }, { grant_types: [] }, { response_types: ["token"] }]) {
      expect(errorOf(await register({ redirect_uris, ...wrong }))).toEqual([400, "invalid_client_metadata"]);
    }
  });

  it("§3.2.2: an unacceptable redirect URI is invalid_redirect_uri, with the URI and the reason", {
    meta: { proves: ["decision.oauth.redirect-uris"] },
  }, async () => {
    const lists: unknown[] = [
      undefined,
      null,
      [],
      "https://example.com/cb",
      [7],
      [null],
      ["javascript:alert(1)"],
      [...redirect_uris, "http://example.com/cb"],
      Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`),
    ];
    for (const list of lists) {
      expect(errorOf(await register({ redirect_uris: list }))).toEqual([400, "invalid_redirect_uri"]);
    }
    const { body } = await register({ redirect_uris: ["http://example.com/cb"] });
    expect(body.error_description).toBe(
      "http://example.com/cb: http is accepted only for localhost, 127.0.0.1 and [::1]; use https.",
    );
    expect(await rows()).toEqual([]);
  });

  it("§3.2.2: a value of a wrong type or an unsupported value is invalid_client_metadata", async () => {
    for (const wrong of [
      { token_endpoint_auth_method: "private_key_jwt" },
      { token_endpoint_auth_method: ["none"] },
      { client_name: { en: "x" } },
      { grant_types: "authorization_code" },
      { response_types: [7] },
    ]) {
      expect(errorOf(await register({ redirect_uris, ...wrong }))).toEqual([400, "invalid_client_metadata"]);
    }
  });

  it("§3.1: a body that is not a JSON object is rejected", async () => {
    for (const body of ["", "[]", "null", '"x"', "{", "client_name=x"]) {
      const [status, error] = errorOf(await register(body));
      expect([status, body === "" ? "invalid_client_metadata" : error]).toEqual([400, "invalid_client_metadata"]);
    }
    const form = { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "a=b" };
    expect(errorOf(await ask(setting, "/oauth/register", form))).toEqual([400, "invalid_client_metadata"]);
  });

  it("a name is bounded and contains no control or bidi characters when it is shown", {
    meta: { proves: ["decision.oauth.registration"] },
  }, async () => {
    const { body } = await register({
      redirect_uris,
      token_endpoint_auth_method: "none",
      client_name: `\u202eClau\u0000de\u200b\n${"x".repeat(5_000)}`,
      client_uri: "javascript:alert(1)",
    });
    expect(body.client_name).toMatch(/^Clau de x+…$/);
    expect(String(body.client_name)).toHaveLength(100);
    expect(body).not.toHaveProperty("client_uri");
  });

  it("§5: other methods are 405; pages of any origin may register", async () => {
    const answer = await ask(setting, "/oauth/register");
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
    const preflight = await ask(setting, "/oauth/register", {
      method: "OPTIONS",
      headers: { Origin: "https://x.example" },
    });
    expect([preflight.status, preflight.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
  });
});

/** A thousand clients of the kind, registered now. */
const flood = (kind: string) =>
  setting.world.service.database.execute(sql`INSERT INTO oauth_clients (id, metadata, kind, "createdAt")
    SELECT ${kind} || number, '{}', ${kind}, ${setting.clock.now()} FROM generate_series(1, 1000) AS number`);

describe("the limits of registrations", () => {
  it("a body of more than 16 KB is 413, declared or not", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const body = JSON.stringify({ redirect_uris, client_name: "x".repeat(16_384) });
    expect(errorOf(await register(body))).toEqual([413, "invalid_request"]);
    const stream = new Blob([body]).stream();
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: stream,
      duplex: "half" as const,
    };
    expect(errorOf(await ask(setting, "/oauth/register", init))).toEqual([413, "invalid_request"]);
  });

  it("20 an hour per client address, then 429 with Retry-After; rejected ones do not count", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const one = (index: number, address?: string) => register({ redirect_uris, client_name: `app ${index}` }, address);
    for (let index = 0; index < 5; index += 1) await register({ redirect_uris: ["x"] });
    for (let index = 0; index < 20; index += 1) expect((await one(index)).status).toBe(201);
    const refused = await one(20);
    expect(errorOf(refused)).toEqual([429, "too_many_requests"]);
    expect(refused.headers.get("Retry-After")).toBe("3600");
    expect((await one(20, "203.0.113.2")).status).toBe(201);
    setting.clock.advance(hour - 1_000);
    expect((await one(20)).headers.get("Retry-After")).toBe("1");
    setting.clock.advance(1_000);
    expect((await one(20)).status).toBe(201);
  });

  it("§3.2.1: the same client_id MAY be issued to instances of a client: twenty equal registrations share one row, even concurrently", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const sent = { redirect_uris: ["http://localhost/cb", ...redirect_uris], token_endpoint_auth_method: "none" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => register({ ...sent, client_name: "Claude" })));
    for (let index = 0; index < 10; index += 1) {
      const other = { ...sent, client_name: " Claude ", redirect_uris: sent.redirect_uris.toReversed() };
      answers.push(await register(other));
    }
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.client_id)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
    await register({ ...sent, client_name: "Another" }, "203.0.113.2");
    expect(await rows()).toHaveLength(2);
  });

  it("equal registrations with secrets are separate, and at most ten of them are kept", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const ids: unknown[] = [];
    for (let index = 0; index < 20; index += 1) {
      setting.clock.advance(1);
      ids.push((await register({ redirect_uris })).body.client_id);
    }
    expect(new Set(ids).size).toBe(20);
    setting.clock.advance(10 * 60_000);
    ids.push((await register({ redirect_uris }, "203.0.113.2")).body.client_id);
    const left = (await rows()).map(({ id }) => id);
    expect(left).toHaveLength(10);
    expect(left.sort()).toEqual(ids.slice(-10).sort());
  });

  it("an app that waits for consent is not removed by another client's equal registrations", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const { client_id } = (await register({ redirect_uris, client_name: "Claude" })).body;
    for (let index = 0; index < 20; index += 1) {
      setting.clock.advance(1);
      expect((await register({ redirect_uris, client_name: "Claude" }, "203.0.113.2")).status).toBe(201);
    }
    expect(await known(client_id)).not.toBeNull();
  });

  it("metadata documents do not displace registrations, nor the reverse", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const first = (await register({ redirect_uris })).body.client_id;
    await flood("document");
    setting.clock.advance(1);
    const second = (await register({ redirect_uris })).body.client_id;
    expect([await known(first), await known(second)]).toEqual([expect.anything(), expect.anything()]);
    await flood("dynamic");
    setting.clock.advance(1);
    await register({ redirect_uris });
    expect(await rows()).toHaveLength(2_000);
  });

  it("an app with a grant but no tokens yet is not removed, and neither is its grant", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const { service, people, teamId } = setting.world;
    await service.database.client.team.update({ where: { id: teamId }, data: { mcpEnabled: true } });
    const clientId = String((await register({ redirect_uris })).body.client_id);
    const { grantId } = await allowApp(setting.world, people.member, { clientId });
    setting.clock.advance(1);
    await flood("dynamic");
    setting.clock.advance(1);
    await register({ redirect_uris, client_name: "another" });
    expect(await rows()).toHaveLength(1_001);
    expect(await service.database.client.oauthGrant.count({ where: { teamId, id: grantId } })).toBe(1);
  });

  it("an app that is first used during the clean-up is not removed, and no request waits for it", {
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const { database } = setting.world.service;
    const id = String((await register({ redirect_uris })).body.client_id);
    setting.clock.advance(1);
    await flood("dynamic");
    await database.transaction(async (tx) => {
      await tx.oauthClient.update({ where: { id }, data: { lastUsedAt: setting.clock.now() } });
      setting.clock.advance(1);
      expect((await register({ redirect_uris, client_name: "another" })).status).toBe(201);
    });
    expect(await known(id)).not.toBeNull();
  });

  it("1,000 registrations keep the table bounded: at most the 1,000 newest unused ones remain, from any address", {
    timeout: 60_000,
    meta: { proves: ["decision.oauth.registration-limits"] },
  }, async () => {
    const { database } = setting.world.service;
    const used = (await register({ redirect_uris, client_name: "used" })).body.client_id;
    await database.client.oauthClient.update({
      where: { id: String(used) },
      data: { lastUsedAt: setting.clock.now() },
    });
    let last: unknown;
    for (let index = 0; index < 1_010; index += 1) {
      setting.clock.advance(1);
      const metadata = { redirect_uris, client_name: `app ${index}`, token_endpoint_auth_method: "none" };
      last = (await register(metadata, `198.51.100.${Math.floor(index / 20)}`)).body.client_id;
    }
    expect(await rows()).toHaveLength(1_001);
    expect(await known(used)).not.toBeNull();
    expect(await known(last)).not.toBeNull();
    setting.clock.advance(49 * hour);
    await sweep(setting.world.service, { trashRetentionDays: 0 });
    expect((await rows()).map(({ id }) => id)).toEqual([used]);
  });

  it("an unused app is deleted after 48 hours, unless it registers again", {
    meta: { proves: ["decision.oauth.clients-swept"] },
  }, async () => {
    const metadata = { redirect_uris, token_endpoint_auth_method: "none" };
    const { body } = await register(metadata);
    const swept = async () => {
      await sweep(setting.world.service, { trashRetentionDays: 0 });
      return (await known(body.client_id)) === null;
    };
    setting.clock.advance(48 * hour);
    expect(await swept()).toBe(false);
    expect((await register(metadata)).body.client_id).toBe(body.client_id);
    setting.clock.advance(48 * hour);
    expect(await swept()).toBe(false);
    setting.clock.advance(1);
    expect(await swept()).toBe(true);
  });

  it("an idle app is deleted after 30 days", { meta: { proves: ["decision.oauth.clients-swept"] } }, async () => {
    const { body } = await register({ redirect_uris });
    const where = { id: String(body.client_id) };
    await setting.world.service.database.client.oauthClient.update({
      where,
      data: { lastUsedAt: setting.clock.now() },
    });
    setting.clock.advance(30 * 24 * hour);
    await sweep(setting.world.service, { trashRetentionDays: 0 });
    expect(await known(body.client_id)).not.toBeNull();
    setting.clock.advance(1);
    await sweep(setting.world.service, { trashRetentionDays: 0 });
    expect(await known(body.client_id)).toBeNull();
  });
});

describe("failures of the service", () => {
  it("an unavailable database is 503 temporarily_unavailable with Retry-After, without details", async () => {
    const own = await openSetting();
    await own.close();
    const { status, headers, body } = await registerClient(own, { redirect_uris });
    expect([status, body.error]).toEqual([503, "temporarily_unavailable"]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/prisma|postgres|connect/i);
  });
});
