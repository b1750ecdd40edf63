import { addPerson, connectApp, isConnected } from "@kb/core/testing";
import type { One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting } from "./setting.ts";

type App = { id: string; revokedAt: string | null };

describe("connected apps over HTTP", () => {
  let setting: Setting;
  let editor: AppCall;
  beforeAll(async () => {
    setting = await openSetting();
    editor = await inApp(setting, setting.world.people.editor);
    const admin = await inApp(setting, setting.world.people.admin);
    await admin("team.update", { mcpEnabled: true });
  });
  afterAll(() => setting.close());

  it("are listed in pages and revoked with 200", {
    meta: { proves: ["oauth.apps", "decision.apps.list", "decision.apps.revoke"] },
  }, async () => {
    const app = await connectApp(setting.world, setting.world.people.editor);
    const list = await editor<Page<App>>("oauth.apps.list");
    expect(list).toMatchObject({ status: 200, body: { total: 1, offset: 0, data: [{ id: app.grantId }] } });
    const revoked = await editor<One<App>>("oauth.apps.revoke", { id: app.grantId });
    expect(revoked).toMatchObject({ status: 200, body: { data: { id: app.grantId, revokedAt: expect.any(String) } } });
    expect(await isConnected(setting.world, app)).toBe(false);
    expect(await editor("oauth.apps.revoke", { id: app.grantId })).toMatchObject({
      status: 200,
      body: { data: { revokedAt: revoked.body.data.revokedAt } },
    });
  });

  it("returns 400 for an unknown filter, and 404 for the app of another user", async () => {
    const app = await connectApp(setting.world, await addPerson(setting.world, "Members"));
    expect((await editor("oauth.apps.list", { all: true })).status).toBe(400);
    expect(await editor("oauth.apps.revoke", { id: app.grantId })).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
  });
});
