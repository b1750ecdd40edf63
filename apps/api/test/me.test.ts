import type { One } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type User = { id: string; name: string; email: string; teamId: string; role: string; capabilities: string[] };

describe("GET /api/v1/me", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting.close());

  const me = async (who: "admin" | "editor" | "member" | "viewer" | "outsider"): Promise<User> =>
    (await setting.as(setting.world.people[who]).get<One<User>>("/api/v1/me")).body.data;

  it("answers {data: User} with exactly the fields of the contract [user.me] [user.field.*]", async () => {
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

  it("shows the capabilities that the user's groups hold [user.me.capabilities] [decision.access.groups]", async () => {
    const member = ["document.read", "export", "developer.api_keys", "document.create", "document.edit", "tag.create"];
    const editor = [...member, "collection.create", "collection.edit", "document.publish", "document.delete"];
    expect(new Set((await me("viewer")).capabilities)).toEqual(new Set(["document.read", "export"]));
    expect(new Set((await me("member")).capabilities)).toEqual(new Set(member));
    expect(new Set((await me("editor")).capabilities)).toEqual(new Set(editor));
    const admin = [
      ...["settings.team_edit", "settings.members", "settings.groups", "developer.mcp", "developer.webhooks"],
      ...["publishing.channels", "document.destroy", "tag.manage", "audit.read"],
    ];
    expect(new Set((await me("admin")).capabilities)).toEqual(new Set([...editor, ...admin]));
  });

  it("a user with settings.team_edit is an admin [user.role.admin]", async () => {
    expect((await me("admin")).role).toBe("admin");
  });

  it("a system admin is an admin and has every capability, written * [user.role.admin] [user.field.capabilities]", async () => {
    // The first team of a database has its system admin.
    expect(await me("outsider")).toMatchObject({ role: "admin", capabilities: ["*"] });
  });

  it("a user who may create documents is a member [user.role.member]", async () => {
    expect((await me("editor")).role).toBe("member");
    expect((await me("member")).role).toBe("member");
  });

  it("everybody else is a viewer [user.role.viewer]", async () => {
    expect((await me("viewer")).role).toBe("viewer");
  });

  it("tells that role is deprecated, and until when [versioning.role-deprecated] [versioning.sunset] [versioning.link]", async () => {
    const { headers } = await setting.as(setting.world.people.viewer).get<One<User>>("/api/v1/me");
    expect(headers.get("Sunset")).toBe("Sun, 15 Nov 2026 00:00:00 GMT");
    expect(headers.get("Link")).toMatch(/^<http:\/\/localhost:3000\/[^>]+>; rel="deprecation"; type="text\/html"$/);
    const described = await (await setting.app.request("/openapi.json")).json();
    expect(described.components.schemas.User.properties.role.deprecated).toBe(true);
  });

  it("the page that Link names exists [versioning.link]", async () => {
    const { headers } = await setting.as(setting.world.people.viewer).get<One<User>>("/api/v1/me");
    const url = /<([^>]+)>/.exec(headers.get("Link") ?? "")?.[1] ?? "";
    const page = await setting.app.request(url);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const fragment = new URL(url).hash.slice(1);
    expect(await page.text()).toContain(`id="${fragment}"`);
  });

  it("takes no query and no other method [versioning.prefix]", async () => {
    const member = setting.as(setting.world.people.member);
    expect(await member.get("/api/v1/me?verbose=1")).toMatchObject({ status: 400, body: { code: "validation_error" } });
    const refused = await member.post("/api/v1/me", {});
    expect(refused).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(refused.headers.get("Allow")).toContain("GET");
    expect((await member.get("/api/me")).status).toBe(404);
    expect((await member.get("/api/v2/me")).status).toBe(404);
  });
});
