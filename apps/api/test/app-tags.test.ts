import { groupIdsOf } from "@kb/core/testing";
import { newId } from "@kb/db";
import type { ApiClient, Many, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Tag = { id: string; name: string; color: string | null };
type Restricted = Tag & { groups: { id: string }[]; users: { id: string }[]; documentCount: number };

describe("tags in the app over HTTP", () => {
  let setting: Setting;
  let admin: AppCall;
  let editor: ApiClient;
  let groups: Record<string, string>;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    editor = setting.as(setting.world.people.editor);
    groups = await groupIdsOf(setting.world);
  });
  afterAll(() => setting.close());

  it("restricting a new tag is 201, a change of its list 200, and other users do not find it", {
    meta: { proves: ["decision.app.restricted-tags", "tag.restricted-hidden"] },
  }, async () => {
    const name = `board ${newId()}`;
    const groupIds = [groups.admins];
    const created = await admin<One<Restricted>>("tags.restrict", { name, color: "#ABC", groupIds });
    expect(created).toMatchObject({ status: 201, body: { data: { name, color: "#aabbcc", users: [] } } });
    const { id } = created.body.data;
    const { guide } = setting.world.documents;
    const { hidden } = setting.world.tags;
    const set = await admin<Many<Tag>>("documents.restrictedTags.set", { id: guide.id, tagIds: [hidden, id] });
    expect(set.status).toBe(200);
    expect(set.body.data).toContainEqual({ id, name, color: "#aabbcc" });
    const listed = async (client: ApiClient) =>
      (await client.get<Page<object>>(`/api/v1/documents?tag=${encodeURIComponent(name)}`)).body.total;
    expect([await listed(setting.as(setting.world.people.admin)), await listed(editor)]).toEqual([1, 0]);
    expect((await editor.get<Many<Tag>>("/api/v1/tags")).body.data.map((tag) => tag.name)).not.toContain(name);
    const changed = await admin<One<Restricted>>("tags.restrict", { id, groupIds: [groups.editors] });
    expect(changed).toMatchObject({ status: 200, body: { data: { id, groups: [{ id: groups.editors }] } } });
    const page = await admin<Page<Restricted>>("tags.listRestricted", { limit: 100 });
    expect(page).toMatchObject({ status: 200, body: { limit: 100, offset: 0 } });
    expect(page.body.data.map((tag) => tag.id)).toContain(id);
  });

  it("a bad tag is 400, an unknown tag, group or document 404, a used name 409, a caller without the right 403", async () => {
    const { guide, secret } = setting.world.documents;
    const taken = { name: newId(), groupIds: [groups.admins] };
    expect((await admin<object>("tags.restrict", taken)).status).toBe(201);
    const refused: [string, object, number][] = [
      ["tags.restrict", { name: "a,b", groupIds: [groups.admins] }, 400],
      ["tags.restrict", { name: newId(), groupIds: [unknownId] }, 404],
      ["tags.restrict", taken, 409],
      ["tags.update", { id: setting.world.tags.guide, note: "x" }, 400],
      ["tags.update", { id: unknownId, name: "x" }, 404],
      ["tags.delete", { id: unknownId }, 404],
      ["documents.restrictedTags.set", { id: guide.id, tagIds: [setting.world.tags.guide] }, 404],
    ];
    for (const [name, input, status] of refused) {
      expect((await admin(name, input)).status, `${name} ${JSON.stringify(input)}`).toBe(status);
    }
    const viewer = await inApp(setting, setting.world.people.viewer);
    expect((await viewer("documents.restrictedTags.set", { id: guide.id, tagIds: [] })).status).toBe(403);
    for (const id of [secret.id, unknownId]) {
      const { status, body } = await viewer("documents.restrictedTags.list", { id });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
  });

  it("a tag is renamed and deleted with 200", { meta: { proves: ["decision.app.tag-changes"] } }, async () => {
    const { body } = await editor.post<One<Tag>>("/api/v1/tags", { name: newId() });
    const { id } = body.data;
    const name = newId();
    const renamed = await admin<One<Tag>>("tags.update", { id, name: name.toUpperCase(), color: "#0b6b5f" });
    expect(renamed).toMatchObject({ status: 200, body: { data: { id, name, color: "#0b6b5f" } } });
    const deleted = await admin<One<object>>("tags.delete", { id });
    expect(deleted).toMatchObject({ status: 200, body: { data: { id, status: "deleted" } } });
    expect(await admin("tags.delete", { id })).toMatchObject({ status: 404, body: { error: "Tag not found" } });
  });
});
