import { newId } from "@kb/db";
import type { Many, One, Page } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Group = { id: string; name: string; builtIn: string | null; capabilities: string[]; memberCount: number };

describe("groups and the team over HTTP", () => {
  let setting: Setting;
  let admin: AppCall;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
  });
  afterAll(() => setting.close());

  it("groups are created with 201, listed in pages, and changed and deleted with 200", async () => {
    const name = `Group ${newId()}`;
    const created = await admin<One<Group>>("groups.create", { name, capabilities: ["document.read"] });
    expect(created).toMatchObject({ status: 201, body: { data: { name, builtIn: null } } });
    const page = await admin<Page<Group>>("groups.list", { limit: 1 });
    expect(page).toMatchObject({ status: 200, body: { data: [{ builtIn: "admins" }], total: 5, limit: 1, offset: 0 } });
    const { id } = created.body.data;
    const updated = await admin<One<Group>>("groups.update", { id, capabilities: [] });
    expect(updated).toMatchObject({ status: 200, body: { data: { id, capabilities: [] } } });
    const deleted = await admin<One<object>>("groups.delete", { id });
    expect(deleted).toMatchObject({ status: 200, body: { data: { id, status: "deleted" } } });
  });

  it("a bad field is 400, an unknown group 404, a used name and a built-in group 409", async () => {
    const { body } = await admin<Page<Group>>("groups.list");
    const id = body.data[0]?.id;
    const name = "Admins";
    expect(await admin("groups.create", { name, capabilities: [], color: "red" })).toMatchObject({ status: 400 });
    expect(await admin("groups.update", { id: unknownId, name: "New" })).toMatchObject({
      status: 404,
      body: { error: "Group not found" },
    });
    expect(await admin("groups.create", { name, capabilities: [] })).toMatchObject({ status: 409 });
    expect(await admin("groups.delete", { id })).toMatchObject({ status: 409 });
  });

  it("returns 403 to the keys of its members as soon as a group loses its capabilities", {
    meta: { proves: ["decision.app.groups"] },
  }, async () => {
    const { viewer } = setting.world.people;
    const groups = (await admin<Page<Group>>("groups.list")).body.data;
    const group = groups.find((row) => row.builtIn === "viewers");
    const read = () => setting.as(viewer).get<object>("/api/v1/documents");
    expect((await read()).status).toBe(200);
    await admin("groups.update", { id: group?.id, capabilities: [] });
    expect((await read()).status).toBe(403);
    await admin("groups.update", { id: group?.id, capabilities: group?.capabilities });
    expect((await read()).status).toBe(200);
  });

  it("the team is read with 200 and renamed with 200, 400 or 403", async () => {
    const viewer = await inApp(setting, setting.world.people.viewer);
    const { status, body } = await viewer<One<object>>("team.info");
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { id: setting.world.teamId } } });
    const renamed = await admin<One<object>>("team.update", { name: "  Ours  " });
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: "Ours" } } });
    expect((await admin("team.update", { name: "" })).status).toBe(400);
    expect((await viewer("team.update", { name: "Theirs" })).status).toBe(403);
  });

  it("candidates for a grant are a plain list without e-mail addresses", async () => {
    const input = { id: setting.world.collections.open, query: "viewer" };
    const { status, body } = await admin<Many<object>>("collections.grants.candidates", input);
    expect(status).toBe(200);
    expect(body.data).toContainEqual(expect.objectContaining({ type: "group", name: "Viewers" }));
    expect(JSON.stringify(body)).not.toContain("@");
  });
});
