import { capabilities } from "@kb/auth";
import { newId } from "@kb/db";
import type { Many, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, eventsOf, groupIds, inApp, newPerson } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Group = { id: string; name: string; builtIn: string | null; capabilities: string[]; memberCount: number };

describe("groups and the team", () => {
  let setting: Setting;
  let admin: AppCall;
  let built: Record<string, string>;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    built = await groupIds(setting);
  });
  afterAll(() => setting.close());

  const make = async (names: string[] = ["document.read"], name = `Group ${newId()}`): Promise<Group> => {
    const { status, body } = await admin<One<Group>>("groups.create", { name, capabilities: names });
    expect(status).toBe(201);
    return body.data;
  };

  it("the built-in ones are listed first, with what they allow and how many are in them", async () => {
    await make();
    const { body } = await admin<Page<Group>>("groups.list", { limit: 100 });
    expect(body.data.slice(0, 4).map((group) => group.builtIn)).toEqual(["admins", "editors", "members", "viewers"]);
    expect(body.data[0]).toMatchObject({ name: "Admins", capabilities: [...capabilities], memberCount: 1 });
    expect(body.total).toBe(body.data.length);
    expect((await admin<Page<Group>>("groups.list", { limit: 1, offset: 4 })).body.data).toEqual([body.data[4]]);
  });

  it("a group of the team's own gives its members what it allows, at once [decision.app.groups]", async () => {
    const group = await make(["document.read", "tag.create"]);
    const person = await newPerson(setting, "Viewers");
    const client = setting.as(person);
    expect((await client.post("/api/v1/tags", { name: "mine" })).status).toBe(403);
    await admin("users.groups", { id: person.id, groupIds: [group.id] });
    expect((await client.post<object>("/api/v1/tags", { name: "mine" })).status).toBe(201);
    await admin("groups.update", { id: group.id, capabilities: ["document.read"], name: `Less ${newId()}` });
    expect((await client.post("/api/v1/tags", { name: "mine too" })).status).toBe(403);
    await admin("groups.delete", { id: group.id });
    expect((await client.get("/api/v1/documents")).status).toBe(403);
  });

  it("who creates a document publishes it where they could edit it, and not otherwise [decision.access.members-own]", async () => {
    const { open, readable } = setting.world.collections;
    const publish = async (names: string[], collectionId: string): Promise<number[]> => {
      const client = setting.as(await newPerson(setting, (await make(["document.read", ...names])).name));
      const json = { collectionId, publish: true };
      const made = (await client.post<object>("/api/v1/documents", json)).status;
      const draft = await client.post<{ data?: { id: string } }>("/api/v1/documents", { collectionId });
      if (draft.status !== 201) return [made, draft.status];
      const published = await client.patch<object>(`/api/v1/documents/${draft.body.data?.id}`, { published: true });
      return [made, published.status];
    };
    expect(await publish(["document.create", "document.edit"], open)).toEqual([201, 200]);
    expect(await publish(["document.create"], open)).toEqual([403, 403]);
    expect(await publish(["document.create", "document.publish"], open)).toEqual([403, 403]);
    expect(await publish(["document.create", "document.edit"], readable)).toEqual([403, 403]);
  });

  it("names are taken once, whatever their case; unknown capabilities and keys are refused", async () => {
    const { name } = await make();
    expect(await admin("groups.create", { name: name.toUpperCase(), capabilities: [] })).toMatchObject({ status: 409 });
    expect(await admin("groups.create", { name: "New", capabilities: ["everything"] })).toMatchObject({ status: 400 });
    expect(await admin("groups.create", { name: "New", capabilities: [], color: "red" })).toMatchObject({
      status: 400,
    });
    expect(await admin("groups.update", { id: unknownId, name: "New" })).toMatchObject({ status: 404 });
    const { outsider } = setting.world.people;
    const theirs = await setting.database.client.group.findFirstOrThrow({ where: { teamId: outsider.actor.teamId } });
    for (const verb of ["groups.update", "groups.delete"]) {
      expect(await admin(verb, { id: theirs.id })).toMatchObject({ status: 404, body: { error: "Group not found" } });
    }
  });

  it("built-in groups stay: Admins as it is, the others by their names [decision.app.groups]", async () => {
    for (const id of [built.admins, built.editors, built.members, built.viewers]) {
      expect(await admin("groups.delete", { id })).toMatchObject({ status: 409 });
      expect(await admin("groups.update", { id, name: "Another" })).toMatchObject({ status: 409 });
    }
    expect(await admin("groups.update", { id: built.admins, capabilities: [] })).toMatchObject({ status: 409 });
    const before = (await admin<Page<Group>>("groups.list", {})).body.data.find((group) => group.id === built.viewers);
    const fewer = await admin<One<Group>>("groups.update", { id: built.viewers, capabilities: ["document.read"] });
    expect(fewer.body.data.capabilities).toEqual(["document.read"]);
    await admin("groups.update", { id: built.viewers, capabilities: before?.capabilities });
  });

  it("a deleted group takes its access to collections along, and says so", async () => {
    const group = await make();
    const person = await newPerson(setting, group.name);
    const { vault } = setting.world.collections;
    await admin("collections.grants.set", { id: vault, groupId: group.id, level: "read" });
    const path = `/api/v1/collections/${vault}`;
    expect((await setting.as(person).get<object>(path)).status).toBe(200);
    const events = await eventsOf(setting, () => admin("groups.delete", { id: group.id }));
    expect(events).toEqual([
      { type: "collection.access_changed", data: expect.objectContaining({ id: vault, changed: ["grants"] }) },
    ]);
    await admin("users.groups", { id: person.id, groupIds: [built.viewers] });
    expect((await setting.as(person).get(path)).status).toBe(404);
  });

  it("deleting a group while something is granted to it leaves no grant, whoever comes first", async () => {
    const { vault } = setting.world.collections;
    const { teamId } = setting.world;
    for (let round = 0; round < 6; round += 1) {
      const group = await make();
      const [granted, deleted] = await Promise.all([
        admin("collections.grants.set", { id: vault, groupId: group.id, level: "read" }),
        admin("groups.delete", { id: group.id }),
      ]);
      expect(deleted.status).toBe(200);
      expect(granted.status).toBeOneOf([200, 404]);
      expect(await setting.database.client.collectionGrant.count({ where: { teamId, groupId: group.id } })).toBe(0);
    }
  });

  it("the team is shown to everybody in it; its name is changed by those who may", async () => {
    const viewer = await inApp(setting, setting.world.people.viewer);
    type Team = { id: string; name: string; mcpEnabled: boolean };
    const { body } = await viewer<One<Team>>("team.info");
    expect(body.data).toMatchObject({ id: setting.world.teamId, mcpEnabled: false });
    const renamed = await admin<One<Team>>("team.update", { name: "  Ours  " });
    expect(renamed.body.data.name).toBe("Ours");
    expect((await viewer<One<Team>>("team.info")).body.data.name).toBe("Ours");
    expect((await admin("team.update", { name: "" })).status).toBe(400);
    expect((await admin("team.update", { id: setting.world.teamId })).status).toBe(400);
  });

  it("only who holds developer.mcp switches MCP, and only who holds settings.team_edit renames", async () => {
    const switches = await newPerson(setting, (await make(["developer.mcp"])).name);
    const renames = await newPerson(setting, (await make(["settings.team_edit"])).name);
    const { editor } = setting.world.people;
    const calls = await Promise.all([switches, renames, editor].map((person) => inApp(setting, person)));
    const statuses = async (input: object) =>
      Promise.all(calls.map(async (call) => (await call("team.update", input)).status));
    expect(await statuses({ mcpEnabled: true })).toEqual([200, 403, 403]);
    expect(await statuses({ name: "Renamed" })).toEqual([403, 200, 403]);
    expect(await statuses({ name: "Both", mcpEnabled: false })).toEqual([403, 403, 403]);
    expect((await admin<One<{ mcpEnabled: boolean }>>("team.info")).body.data.mcpEnabled).toBe(true);
  });

  it("switching MCP off ends what connected apps were allowed", async () => {
    const { client } = setting.database;
    const { teamId, people } = setting.world;
    await client.oauthClient.create({ data: { id: "switched", metadata: {}, kind: "dynamic" } });
    const id = newId();
    await client.oauthGrant.create({
      data: {
        ...{ teamId, id, userId: people.editor.id, clientId: "switched", scopes: ["read"], resource: "x" },
        expiresAt: new Date(),
      },
    });
    await admin("team.update", { mcpEnabled: true });
    const grant = () => client.oauthGrant.findUniqueOrThrow({ where: { teamId_id: { teamId, id } } });
    expect((await grant()).revokedAt).toBeNull();
    await admin("team.update", { mcpEnabled: false });
    expect((await grant()).revokedAt).not.toBeNull();
  });

  it("whom a collection may be opened to is told by name alone", async () => {
    const { open } = setting.world.collections;
    const { body } = await admin<Many<{ type: string; id: string; name: string }>>("collections.grants.candidates", {
      id: open,
      query: "viewer",
    });
    expect(body.data).toContainEqual({ type: "group", id: built.viewers, name: "Viewers" });
    expect(body.data).toContainEqual({
      type: "user",
      id: setting.world.people.viewer.id,
      name: setting.world.people.viewer.name,
    });
    expect(JSON.stringify(body)).not.toContain("@");
  });
});
