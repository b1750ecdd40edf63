import { authenticateAccessToken } from "@kb/auth";
import { connectApp, registerApp } from "@kb/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Setting } from "./setting.ts";
import { openTokens, refresh, revoke, sendForm } from "./tokens.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openTokens();
});
afterAll(() => setting.close());
beforeEach(() => setting.clock.advance(61_000));

const connect = () => connectApp(setting.world, setting.world.people.editor);

async function isGood(token: string): Promise<boolean> {
  const { database, oauth, clock, appUrl } = setting.world.service;
  const asked = { keys: oauth.keys, resource: `${appUrl}/api/mcp`, now: clock.now() };
  return (await authenticateAccessToken(database, token, asked)) !== null;
}

describe("the revocation of a token", () => {
  it("RFC 7009 §2.1: a refresh token ends its whole grant, and an event reports it", {
    meta: { proves: ["oauth.revoke", "decision.oauth.revocation"] },
  }, async () => {
    const app = await connect();
    const { status, headers } = await revoke(setting.app, app.clientId, app.refreshToken);
    expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(await isGood(app.accessToken)).toBe(false);
    expect((await refresh(setting.app, app)).body.error).toBe("invalid_grant");
    const { teamId, service } = setting.world;
    const events = await service.database.client.event.findMany({ where: { teamId, type: "app.revoked" } });
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ id: app.grantId, reason: "token_revoked" }),
    );
  });

  it("RFC 7009 §2.1: a rotated refresh token ends its grant too", async () => {
    const app = await connect();
    const { body } = await refresh(setting.app, app);
    expect((await revoke(setting.app, app.clientId, app.refreshToken)).status).toBe(200);
    expect(await isGood(String(body.access_token))).toBe(false);
    const next = { ...app, refreshToken: String(body.refresh_token) };
    expect((await refresh(setting.app, next)).status).toBe(400);
  });

  it("RFC 7009 §2.1: an access token ends only itself", { meta: { proves: ["oauth.revoke"] } }, async () => {
    const app = await connect();
    const { body } = await refresh(setting.app, app);
    expect((await revoke(setting.app, app.clientId, app.accessToken)).status).toBe(200);
    expect(await isGood(app.accessToken)).toBe(false);
    expect(await isGood(String(body.access_token))).toBe(true);
  });

  it.each(["access_token", "refresh_token", "anything"])("RFC 7009 §2.1: ignores token_type_hint: %s", async (hint) => {
    const app = await connect();
    await revoke(setting.app, app.clientId, app.accessToken, { token_type_hint: hint });
    expect(await isGood(app.accessToken)).toBe(false);
  });

  it("RFC 7009 §2.2: unknown, malformed and ended tokens return 200", {
    meta: { proves: ["decision.oauth.revocation"] },
  }, async () => {
    const app = await connect();
    const ended = [app.refreshToken, app.refreshToken, app.accessToken];
    for (const token of [...ended, "x", `kbrt_${"a".repeat(43)}`, `kbat_${"a".repeat(43)}`, app.code]) {
      expect((await revoke(setting.app, app.clientId, token)).status).toBe(200);
    }
  });

  it("RFC 7009 §2.1: a token of another client is unchanged, and causes no event", {
    meta: { proves: ["decision.oauth.revocation"] },
  }, async () => {
    const app = await connect();
    const other = await registerApp(setting.world);
    for (const token of [app.accessToken, app.refreshToken]) {
      expect((await revoke(setting.app, other, token)).status).toBe(200);
    }
    expect(await isGood(app.accessToken)).toBe(true);
    expect((await refresh(setting.app, app)).status).toBe(200);
  });

  it("RFC 7009 §2.1: an unknown client is rejected, and the token remains valid", async () => {
    const app = await connect();
    for (const clientId of ["nobody", null]) {
      const sent = { client_id: clientId, token: app.refreshToken };
      const { status, body } = await sendForm(setting.app, "/oauth/revoke", sent);
      expect([status, body.error]).toEqual([401, "invalid_client"]);
    }
    expect(await isGood(app.accessToken)).toBe(true);
  });

  it("RFC 6749 §5.2: a missing or repeated token and a JSON body are invalid_request", async () => {
    const app = await connect();
    const none = await revoke(setting.app, app.clientId, null);
    const two = await revoke(setting.app, app.clientId, null, { token: [app.accessToken, "x"] });
    const asJson = await setting.app.request("/oauth/revoke", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_id: app.clientId, token: app.accessToken }),
    });
    expect([none, two].map(({ status, body }) => [status, body.error])).toEqual([
      [400, "invalid_request"],
      [400, "invalid_request"],
    ]);
    expect([asJson.status, await asJson.json()]).toMatchObject([400, { error: "invalid_request" }]);
    expect(await isGood(app.accessToken)).toBe(true);
  });

  it("RFC 7009 §2.3: is available to pages of any origin", async () => {
    const app = await connect();
    const body = new URLSearchParams({ client_id: app.clientId, token: app.accessToken });
    const headers = { Origin: "https://inspector.example" };
    const answer = await setting.app.request("/oauth/revoke", { method: "POST", body, headers });
    expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
  });

  it("counts as a request of the client: 60 a minute", {
    meta: { proves: ["decision.oauth.token-limits"] },
  }, async () => {
    const app = await connect();
    const statuses = [];
    for (let count = 0; count < 61; count += 1) statuses.push((await revoke(setting.app, app.clientId, "x")).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  });
});
