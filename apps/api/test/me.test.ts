import type { One } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type User = { id: string; name: string; email: string; teamId: string; role: string; capabilities: string[] };

describe("GET /api/v1/me", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  it("returns 200 and {data: User} with exactly the fields of the contract", {
    meta: { proves: ["user.me", "user.field.*"] },
  }, async () => {
    const { world } = setting;
    const { status, body } = await setting.as(world.people.member).get<One<User>>("/api/v1/me");
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: world.people.member.id,
        name: world.people.member.name,
        email: world.people.member.email,
        teamId: world.teamId,
        role: "member",
        capabilities: expect.any(Array),
      },
    });
  });

  it("announces the end of role with Sunset and a Link of rel=deprecation, and openapi.json marks it deprecated", {
    meta: { proves: ["versioning.role-deprecated", "versioning.sunset", "versioning.link"] },
  }, async () => {
    const { headers } = await setting.as(setting.world.people.viewer).get<One<User>>("/api/v1/me");
    expect(headers.get("Sunset")).toBe("Sun, 15 Nov 2026 00:00:00 GMT");
    expect(headers.get("Link")).toMatch(/^<http:\/\/localhost:3000\/[^>]+>; rel="deprecation"; type="text\/html"$/);
    const described = await (await setting.app.request("/openapi.json")).json();
    expect(described.components.schemas.User.properties.role.deprecated).toBe(true);
  });

  it("returns a Link to an existing fragment of a page", { meta: { proves: ["versioning.link"] } }, async () => {
    const { headers } = await setting.as(setting.world.people.viewer).get<One<User>>("/api/v1/me");
    const url = /<([^>]+)>/.exec(headers.get("Link") ?? "")?.[1] ?? "";
    const page = await setting.app.request(url);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const fragment = new URL(url).hash.slice(1);
    expect(await page.text()).toContain(`id="${fragment}"`);
  });

  it("returns 400 for a query parameter, 405 for another method and 404 outside /api/v1", {
    meta: { proves: ["versioning.prefix"] },
  }, async () => {
    const member = setting.as(setting.world.people.member);
    expect(await member.get("/api/v1/me?verbose=1")).toMatchObject({ status: 400, body: { code: "validation_error" } });
    const refused = await member.post("/api/v1/me", {});
    expect(refused).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(refused.headers.get("Allow")).toContain("GET");
    expect((await member.get("/api/me")).status).toBe(404);
    expect((await member.get("/api/v2/me")).status).toBe(404);
  });
});
