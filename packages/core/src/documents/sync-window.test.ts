import { callerOf, outcomeOf, type TestCaller } from "@kb/core/testing";
import { testClock } from "@kb/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const clock = testClock();
const dayMs = 24 * 60 * 60 * 1000;
const epoch = "1970-01-01T00:00:00Z";

const { test, world } = await testWorld({ clock });

const cursorOf = async (by: TestCaller): Promise<string> => (await by.sync({ updatedSince: epoch })).nextCursor;
const resume = (by: TestCaller, cursor: string) => outcomeOf(by.sync({ cursor }));

describe("the window of the sync", () => {
  it("holds tombstones of 90 days, and an older position with includeDeleted has expired", {
    meta: { proves: ["decision.sync.window", "decision.api.code.sync-window"] },
  }, async () => {
    const editor = callerOf(world, world.people.editor);
    const before = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString();
    const sync = (updatedSince: string, includeDeleted: boolean) =>
      outcomeOf(editor.sync({ updatedSince, includeDeleted }));
    expect(await sync(before(90 * dayMs), true)).toBe("done");
    for (const updatedSince of [before(90 * dayMs + 1), before(1000 * dayMs), epoch]) {
      expect(await sync(updatedSince, true)).toBe("sync_window_expired");
    }
    expect(await outcomeOf(editor.sync({ updatedSince: before(1000 * dayMs) }))).toBe("done");
  });

  it("ends for cursors that were made before the caller's access was changed", {
    meta: { proves: ["decision.sync.access-changed"] },
  }, async () => {
    const { viewer, member } = world.people;
    const asViewer = callerOf(world, viewer);
    const before = await cursorOf(asViewer);
    clock.advance(1000);
    await world.grant(world.collections.vault, viewer.id, "read");
    expect(await resume(asViewer, before)).toBe("sync_window_expired");
    const after = await cursorOf(asViewer);
    expect(await resume(asViewer, after)).toBe("done");

    clock.advance(1000);
    await world.setDefaultAccess(world.collections.readable, "none");
    expect(await resume(asViewer, after)).toBe("sync_window_expired");
    await world.setDefaultAccess(world.collections.readable, "read");

    const asMember = callerOf(world, member);
    const ofMember = await cursorOf(asMember);
    const { client } = test.database;
    const { teamId } = world;
    const group = await client.group.findUnique({ where: { teamId_builtIn: { teamId, builtIn: "editors" } } });
    await client.membership.create({ data: { teamId, userId: member.id, groupId: group?.id ?? "" } });
    expect(await resume(asMember, ofMember)).toBe("sync_window_expired");
  });

  it("ends for cursors of a key whose restrictions were changed", {
    meta: { proves: ["decision.sync.access-changed"] },
  }, async () => {
    const { open, readable } = world.collections;
    const key = await world.key(world.people.editor, ["read"], { restrictions: { collections: { [open]: "read" } } });
    const byKey = callerOf(world, key);
    const cursor = await cursorOf(byKey);
    const { restrictedKeyId } = await world.actorOf(key);
    const { client } = test.database;
    const row = { teamId: world.teamId, apiKeyId: restrictedKeyId ?? "" };
    await client.apiKeyCollection.create({ data: { ...row, collectionId: readable, level: "read" } });
    expect(await resume(byKey, cursor)).toBe("sync_window_expired");
    const next = await cursorOf(byKey);
    await client.apiKeyDocument.create({ data: { ...row, documentId: world.documents.guide.id, level: "none" } });
    expect(await resume(byKey, next)).toBe("sync_window_expired");
  });

  it("stays open after a new collection or a change of another user's access", {
    meta: { proves: ["decision.sync.access-changed"] },
  }, async () => {
    const asViewer = callerOf(world, world.people.viewer);
    const cursor = await cursorOf(asViewer);
    clock.advance(1000);
    await callerOf(world, world.people.admin).createCollection({ name: "New" });
    await world.grant(world.collections.granted, world.people.editor.id, "read");
    expect(await resume(asViewer, cursor)).toBe("done");
  });
});
