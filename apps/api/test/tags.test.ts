import type { ApiClient, Many, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

type Tag = { id: string; name: string; color: string | null; documentCount?: number };

describe("tags over HTTP", () => {
  let setting: Setting;
  let member: ApiClient;
  beforeAll(async () => {
    setting = await openSetting();
    member = setting.as(setting.world.people.member);
  });
  afterAll(() => setting.close());

  it("POST returns 201, or 200 for an existing name in the same normal form", {
    meta: { proves: ["tags.create", "tags.create.reuse", "tag.field.*", "decision.api.success-status"] },
  }, async () => {
    const { status, body } = await member.post<One<Tag>>("/api/v1/tags", { name: "Fresh Tag", color: "#F0a" });
    expect({ status, body }).toEqual({
      status: 201,
      body: { data: { id: expect.any(String), name: "fresh tag", color: "#ff00aa" } },
    });
    const reused = await member.post<One<Tag>>("/api/v1/tags", { name: " FRESH  tag", color: "#222222" });
    expect({ status: reused.status, body: reused.body }).toEqual({ status: 200, body });
  });

  it("a wrong name, a wrong color and an unknown field are 400", {
    meta: { proves: ["decision.tags.name", "tags.create.color"] },
  }, async () => {
    for (const json of [{ name: "" }, { name: "a,b" }, {}, { name: "x", color: "red" }]) {
      expect((await member.post("/api/v1/tags", json)).status, JSON.stringify(json)).toBe(400);
    }
    const unknown = await member.post("/api/v1/tags", { name: "x", restricted: true });
    expect(unknown.body.details).toEqual([{ path: "restricted", message: "Unknown field" }]);
  });

  it("GET returns 200 with every visible tag and its number of documents", {
    meta: { proves: ["tags.list", "tag.field.document-count"] },
  }, async () => {
    const { status, body } = await member.get<Many<Tag>>("/api/v1/tags");
    expect(status).toBe(200);
    expect(body.data).toContainEqual({ id: expect.any(String), name: "guide", color: null, documentCount: 1 });
    expect(body.data.map((tag) => tag.id)).not.toContain(setting.world.tags.hidden);
  });

  it("the filters tag and tags do not reveal a restricted tag", {
    meta: { proves: ["tag.restricted-hidden"] },
  }, async () => {
    const admin = setting.as(setting.world.people.admin);
    const total = async (by: ApiClient, path: string): Promise<number> =>
      (await by.get<Page<object>>(`/api/v1/${path}`)).body.total;
    for (const path of ["documents?tag=hidden", "documents?tags=hidden,guide", "search?query=guide&tag=hidden"]) {
      expect(await total(admin, path), path).toBe(1);
      expect(await total(member, path), path).toBe(0);
    }
  });
});
