import type { DocumentView } from "@kb/core";
import { newId } from "@kb/db";
import type { ApiClient, Many, One, Page } from "@kb/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppCall, eventsOf, groupIds, inApp } from "./in-app.ts";
import { openSetting, type Setting, unknownId } from "./setting.ts";

type Tag = { id: string; name: string; color: string | null };
type Restricted = Tag & { groups: { id: string }[]; users: { id: string }[]; documentCount: number };

describe("tags in the app", () => {
  let setting: Setting;
  let admin: AppCall;
  let key: ApiClient;
  let editor: ApiClient;
  let groups: Record<string, string>;
  beforeAll(async () => {
    setting = await openSetting();
    admin = await inApp(setting, setting.world.people.admin);
    key = setting.as(setting.world.people.admin);
    editor = setting.as(setting.world.people.editor);
    groups = await groupIds(setting);
  });
  afterAll(() => setting.close());

  const write = async (input: object = {}): Promise<DocumentView> => {
    const json = { collectionId: setting.world.collections.open, publish: true, title: "Tagged", ...input };
    return (await key.post<One<DocumentView>>("/api/v1/documents", json)).body.data;
  };
  const read = async (id: string): Promise<DocumentView> =>
    (await key.get<One<DocumentView>>(`/api/v1/documents/${id}`)).body.data;
  const named = async (client: ApiClient, name: string): Promise<Tag[]> =>
    (await client.get<Many<Tag>>("/api/v1/tags")).body.data.filter((tag) => tag.name === name);
  const restrict = async (input: object): Promise<Restricted> => {
    const { status, body } = await admin<One<Restricted>>("tags.restrict", input);
    expect(status).toBe("id" in input ? 200 : 201);
    return body.data;
  };
  const found = async (client: ApiClient, query: string): Promise<number> =>
    (await client.get<{ total: number }>(`/api/v1/search?query=${encodeURIComponent(query)}`)).body.total;

  it("a restricted tag is seen by those on its list alone, in every list and filter [decision.app.restricted-tags] [tag.restricted-hidden]", async () => {
    const name = `board ${newId()}`;
    const { editor: person } = setting.world.people;
    const tag = await restrict({ name: name.toUpperCase(), color: "#ABC", userIds: [person.id] });
    expect(tag).toMatchObject({ name, color: "#aabbcc", users: [{ id: person.id }], groups: [] });
    const document = await write();
    const call = await inApp(setting, person);
    const set = await call<Many<Tag>>("documents.restrictedTags.set", { id: document.id, tagIds: [tag.id] });
    expect(set.body.data).toEqual([{ id: tag.id, name, color: "#aabbcc" }]);
    const listed = async (client: ApiClient) =>
      (await client.get<Page<DocumentView>>(`/api/v1/documents?tag=${encodeURIComponent(name)}`)).body.total;
    expect([await listed(editor), await listed(key)]).toEqual([1, 0]);
    expect([(await named(editor, name)).length, (await named(key, name)).length]).toEqual([1, 0]);
    expect((await read(document.id)).tags).toEqual([]);
    expect((await read(document.id)).revision).toBe(document.revision);
    expect((await admin<Many<Tag>>("documents.restrictedTags.list", { id: document.id })).body.data).toEqual([]);
    await restrict({ id: tag.id, groupIds: [groups.admins], userIds: [] });
    expect([await listed(editor), await listed(key)]).toEqual([0, 1]);
  });

  it("those with tag.manage see the lists of all, their own names on them or not [decision.app.restricted-tags]", async () => {
    const { viewer } = setting.world.people;
    const { id, name } = await restrict({ name: newId(), userIds: [viewer.id] });
    const { body } = await admin<Page<Restricted>>("tags.listRestricted", { limit: 100 });
    expect(body.total).toBe(body.data.length);
    expect(body.data.find((tag) => tag.id === id)).toMatchObject({
      name,
      users: [{ id: viewer.id }],
      documentCount: 0,
    });
    expect(body.data.map((tag) => tag.id)).not.toContain(setting.world.tags.guide);
    const theirs = await inApp(setting, setting.world.people.outsider);
    expect((await theirs<Page<Restricted>>("tags.listRestricted")).body.total).toBe(0);
  });

  it("an unrestricted tag of the same name stands beside a restricted one [decision.tags.restricted-namespace]", async () => {
    const name = newId();
    await restrict({ name, groupIds: [groups.admins] });
    expect((await editor.post<object>("/api/v1/tags", { name })).status).toBe(201);
    expect(await admin("tags.restrict", { name, groupIds: [groups.admins] })).toMatchObject({ status: 409 });
    const document = await write({ tags: [name] });
    expect(document.tags).toEqual([name]);
  });

  it("what is wrong with a restricted tag is told", async () => {
    const { outsider, viewer } = setting.world.people;
    const refused: [object, number][] = [
      [{ groupIds: [groups.admins] }, 400],
      [{ name: "a,b", groupIds: [groups.admins] }, 400],
      [{ name: newId() }, 400],
      [{ name: newId(), groupIds: [], userIds: [] }, 400],
      [{ name: newId(), groupIds: [unknownId] }, 404],
      [{ name: newId(), userIds: [outsider.id] }, 404],
      [{ name: newId(), userIds: [viewer.id], secret: true }, 400],
      [{ id: unknownId, userIds: [viewer.id] }, 404],
      [{ id: setting.world.tags.guide, userIds: [viewer.id] }, 404],
      [{ id: setting.world.tags.hidden, name: "another", userIds: [viewer.id] }, 400],
    ];
    for (const [input, status] of refused) {
      expect((await admin("tags.restrict", input)).status, JSON.stringify(input)).toBe(status);
    }
  });

  it("nobody puts on a document what they may not see, or takes it away [decision.app.restricted-tags] [tag.restricted-unset]", async () => {
    const { guide } = setting.world.documents;
    const { hidden } = setting.world.tags;
    const { editor: person, viewer } = setting.world.people;
    const mine = await restrict({ name: newId(), userIds: [person.id] });
    const call = await inApp(setting, person);
    const refused = await call("documents.restrictedTags.set", { id: guide.id, tagIds: [hidden] });
    expect(refused).toMatchObject({ status: 404, body: { error: "Tag not found" } });
    const plain = await call("documents.restrictedTags.set", { id: guide.id, tagIds: [setting.world.tags.guide] });
    expect(plain.status).toBe(404);
    expect((await call("documents.restrictedTags.set", { id: guide.id, tagIds: [mine.id] })).status).toBe(200);
    expect((await call<Many<Tag>>("documents.restrictedTags.set", { id: guide.id, tagIds: [] })).body.data).toEqual([]);
    const shown = await admin<Many<Tag>>("documents.restrictedTags.list", { id: guide.id });
    expect(shown.body.data.map((tag) => tag.id)).toEqual([hidden]);
    const reads = await inApp(setting, viewer);
    expect((await reads("documents.restrictedTags.list", { id: guide.id })).status).toBe(200);
    expect((await reads("documents.restrictedTags.set", { id: guide.id, tagIds: [] })).status).toBe(403);
    for (const id of [setting.world.documents.secret.id, unknownId]) {
      const { status, body } = await call("documents.restrictedTags.list", { id });
      expect({ status, body }).toEqual({ status: 404, body: { error: "Document not found", code: "not_found" } });
    }
  });

  it("events about a restricted tag say that it is one, so that others do not hear of it", async () => {
    const events = await eventsOf(setting, async () => {
      const { id } = await restrict({ name: newId(), groupIds: [groups.admins] });
      await restrict({ id, groupIds: [groups.editors] });
      await restrict({ id, groupIds: [groups.editors], userIds: [] });
      await admin("tags.update", { id, color: "#fff" });
      await admin("tags.delete", { id });
    });
    expect(events.map((event) => event.type)).toEqual(["tag.created", "tag.updated", "tag.updated", "tag.deleted"]);
    for (const { data } of events) expect(data.restricted).toBe(true);
  });

  it("a tag that is renamed has its new name on every document, with a revision, an event and in the search [decision.app.tag-changes]", async () => {
    const [before, after] = ["quokkaland", "wombatland"];
    const documents = [await write({ tags: [before, "zz other"] }), await write({ tags: [before], publish: false })];
    const trashed = await write({ tags: [before] });
    await key.delete<object>(`/api/v1/documents/${trashed.id}`);
    const [tag] = await named(key, before);
    const events = await eventsOf(setting, async () => {
      const { body } = await admin<One<Tag>>("tags.update", {
        id: tag?.id,
        name: after.toUpperCase(),
        color: "#0b6b5f",
      });
      expect(body.data).toEqual({ id: tag?.id, name: after, color: "#0b6b5f" });
    });
    expect(events.map((event) => event.type)).toEqual([
      "tag.updated",
      ...Array.from({ length: 3 }, () => "document.updated"),
    ]);
    expect(events[0]?.data).toMatchObject({ name: after, changed: ["name", "color"] });
    expect(events[1]?.data).toMatchObject({ changed: ["tags"] });
    for (const document of documents) {
      const now = await read(document.id);
      expect(now.tags).toEqual(document.tags.map((name) => (name === before ? after : name)).sort());
      expect(now.revision).toBe(document.revision + 1);
      expect(now.updatedAt > document.updatedAt).toBe(true);
    }
    expect([await found(key, before), await found(key, after)]).toEqual([0, 2]);
    const changes = await eventsOf(setting, () => admin("tags.update", { id: tag?.id, name: after }));
    expect(changes).toEqual([]);
  });

  it("a tag that is deleted goes from every document, with a revision, an event and from the search [decision.app.tag-changes]", async () => {
    const name = "numbatland";
    const document = await write({ tags: [name, "kept"] });
    const [tag] = await named(key, name);
    const events = await eventsOf(setting, () => admin("tags.delete", { id: tag?.id }));
    expect(events.map((event) => event.type)).toEqual(["tag.deleted", "document.updated"]);
    const now = await read(document.id);
    expect(now).toMatchObject({ tags: ["kept"], revision: document.revision + 1 });
    expect(await named(key, name)).toEqual([]);
    expect(await found(key, name)).toBe(0);
    expect(await admin("tags.delete", { id: tag?.id })).toMatchObject({
      status: 404,
      body: { error: "Tag not found" },
    });
  });

  it("a name that is taken, and another team's tag, are refused", async () => {
    const [one, two] = [newId(), newId()];
    await write({ tags: [one, two] });
    const [tag] = await named(key, one);
    expect(await admin("tags.update", { id: tag?.id, name: two })).toMatchObject({ status: 409 });
    expect((await admin("tags.update", { id: tag?.id, name: two, note: "x" })).status).toBe(400);
    const outsider = await inApp(setting, setting.world.people.outsider);
    for (const verb of ["tags.update", "tags.delete"]) {
      expect(await outsider(verb, { id: tag?.id }), verb).toMatchObject({ status: 404 });
    }
  });

  it("renaming and deleting a tag while documents take it up leaves each document right", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [name, renamed] = [newId(), newId()];
      const documents = await Promise.all(Array.from({ length: 4 }, () => write()));
      await key.post<object>("/api/v1/tags", { name });
      const [tag] = await named(key, name);
      const verbs: [string, object] = round === 0 ? ["tags.delete", {}] : ["tags.update", { name: renamed }];
      const [changed, ...patched] = await Promise.all([
        admin(verbs[0], { id: tag?.id, ...verbs[1] }),
        ...documents.map(({ id }) => key.patch<object>(`/api/v1/documents/${id}`, { tags: [name] })),
      ]);
      expect([changed.status, ...patched.map((reply) => reply.status)]).toEqual([200, 200, 200, 200, 200]);
      for (const { id } of documents) {
        const { tags, revision } = await read(id);
        // Taken up before the change: what it left. Taken up after it: a tag of the old name, made anew.
        expect(tags).toBeOneOf([[name], [renamed], []]);
        if (tags[0] !== name) expect(revision).toBe(3);
        expect(await found(key, tags[0] ?? "nothing of this")).toBeGreaterThanOrEqual(tags.length);
      }
    }
  });
});
