import {
  callerOf,
  eventsDuring,
  groupIdsOf,
  outcomeOf,
  sessionCallerOf,
  type TestCaller,
  unknownId,
} from "@kb/core/testing";
import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const editor = await sessionCallerOf(world, world.people.editor);
const groups = await groupIdsOf(world);

const restrict = async (input: object) => {
  const { tag, created } = await admin.run(operations.restrictTag, input);
  expect(created).toBe(!("id" in input));
  return tag;
};
const setTags = (caller: TestCaller, id: string, tagIds: string[]) =>
  caller.run(operations.setRestrictedTags, { id, tagIds });
const listTags = (caller: TestCaller, id: string) => caller.run(operations.listRestrictedTags, { id });

describe("a restricted tag", () => {
  it("is seen only by those on its list, in every list and filter", {
    meta: { proves: ["decision.app.restricted-tags", "tag.restricted-hidden"] },
  }, async () => {
    const name = `board ${newId()}`;
    const { id: userId } = world.people.editor;
    const tag = await restrict({ name: name.toUpperCase(), color: "#ABC", userIds: [userId] });
    expect(tag).toMatchObject({ name, color: "#aabbcc", users: [{ id: userId }], groups: [] });
    const document = await admin.create({ publish: true });
    expect(await setTags(editor, document.id, [tag.id])).toEqual([{ id: tag.id, name, color: "#aabbcc" }]);
    const listed = callerOf(world, world.people.editor);
    const unlisted = callerOf(world, world.people.admin);
    const counts = async () => [
      (await listed.list({ tag: [name] })).total,
      (await unlisted.list({ tag: [name] })).total,
    ];
    const named = async (caller: TestCaller) => (await caller.listTags()).filter((row) => row.name === name).length;
    expect(await counts()).toEqual([1, 0]);
    expect([await named(listed), await named(unlisted)]).toEqual([1, 0]);
    expect(await unlisted.get(document.id)).toMatchObject({ tags: [], revision: document.revision });
    expect(await listTags(admin, document.id)).toEqual([]);
    await restrict({ id: tag.id, groupIds: [groups.admins], userIds: [] });
    expect(await counts()).toEqual([0, 1]);
  });

  it("shows its list to holders of tag.manage, even when they are not on it", {
    meta: { proves: ["decision.app.restricted-tags"] },
  }, async () => {
    const { viewer } = world.people;
    const { id, name } = await restrict({ name: newId(), userIds: [viewer.id] });
    const page = await admin.run(operations.listRestricted, { limit: 100 });
    expect(page.total).toBe(page.data.length);
    expect(page.data.find((tag) => tag.id === id)).toMatchObject({
      name,
      users: [{ id: viewer.id }],
      documentCount: 0,
    });
    expect(page.data.map((tag) => tag.id)).not.toContain(world.tags.guide);
    const outsider = await sessionCallerOf(world, world.people.outsider);
    expect((await outsider.run(operations.listRestricted)).total).toBe(0);
  });

  it("may have the name of an unrestricted tag", {
    meta: { proves: ["decision.tags.restricted-namespace"] },
  }, async () => {
    const name = newId();
    await restrict({ name, groupIds: [groups.admins] });
    expect(await editor.createTag({ name })).toMatchObject({ created: true });
    const again = admin.run(operations.restrictTag, { name, groupIds: [groups.admins] });
    expect(await outcomeOf(again)).toBe("conflict");
    expect((await admin.create({ publish: true, tags: [name] })).tags).toEqual([name]);
  });

  it("is refused for a bad name, an empty list, and users or groups of nobody", async () => {
    const { outsider, viewer } = world.people;
    const refused: [object, string][] = [
      [{ groupIds: [groups.admins] }, "validation_error"],
      [{ name: "a,b", groupIds: [groups.admins] }, "validation_error"],
      [{ name: newId() }, "validation_error"],
      [{ name: newId(), groupIds: [], userIds: [] }, "validation_error"],
      [{ name: newId(), groupIds: [unknownId] }, "not_found"],
      [{ name: newId(), userIds: [outsider.id] }, "not_found"],
      [{ name: newId(), userIds: [viewer.id], secret: true }, "validation_error"],
      [{ id: unknownId, userIds: [viewer.id] }, "not_found"],
      [{ id: world.tags.guide, userIds: [viewer.id] }, "not_found"],
      [{ id: world.tags.hidden, name: "another", userIds: [viewer.id] }, "validation_error"],
    ];
    for (const [input, code] of refused) {
      expect(await outcomeOf(admin.run(operations.restrictTag, input)), JSON.stringify(input)).toBe(code);
    }
  });

  it("is put on a document, and taken off it, only by those who may see it", {
    meta: { proves: ["decision.app.restricted-tags", "tag.restricted-unset"] },
  }, async () => {
    const { guide, secret } = world.documents;
    const { hidden } = world.tags;
    const mine = await restrict({ name: newId(), userIds: [world.people.editor.id] });
    for (const id of [hidden, world.tags.guide]) {
      await expect(setTags(editor, guide.id, [id])).rejects.toMatchObject({
        code: "not_found",
        message: "Tag not found",
      });
    }
    expect(await setTags(editor, guide.id, [mine.id])).toMatchObject([{ id: mine.id }]);
    expect(await setTags(editor, guide.id, [])).toEqual([]);
    expect((await listTags(admin, guide.id)).map((tag) => tag.id)).toEqual([hidden]);
    const viewer = await sessionCallerOf(world, world.people.viewer);
    expect(await outcomeOf(listTags(viewer, guide.id))).toBe("done");
    expect(await outcomeOf(setTags(viewer, guide.id, []))).toBe("forbidden");
    for (const id of [secret.id, unknownId]) {
      await expect(listTags(editor, id)).rejects.toMatchObject({
        code: "not_found",
        message: "Document not found",
        details: undefined,
      });
    }
  });

  it("is marked as restricted in its events, so that others do not receive them", async () => {
    const events = await eventsDuring(world, async () => {
      const { id } = await restrict({ name: newId(), groupIds: [groups.admins] });
      await restrict({ id, groupIds: [groups.editors] });
      await restrict({ id, groupIds: [groups.editors], userIds: [] });
      await admin.run(operations.updateTag, { id, color: "#fff" });
      await admin.run(operations.deleteTag, { id });
    });
    expect(events.map((event) => event.type)).toEqual(["tag.created", "tag.updated", "tag.updated", "tag.deleted"]);
    for (const { data } of events) expect(data.restricted).toBe(true);
  });
});
