import {
  addPerson,
  callerOf,
  eventsDuring,
  groupIdsOf,
  outcomeOf,
  sessionCallerOf,
  type TestCaller,
  unknownId,
} from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);
const groups = await groupIdsOf(world);

const createCollection = async (name = "Shared"): Promise<string> => (await admin.createCollection({ name })).id;
const setGrant = (input: object, by = admin) => by.run(operations.setGrant, input);
const removeGrant = (input: object, by = admin) => by.run(operations.removeGrant, input);
const setDefaultAccess = (id: string, defaultAccess: string, by = admin) =>
  by.run(operations.setDefaultAccess, { id, defaultAccess });
const listGrants = (input: object, by = admin) => by.run(operations.listGrants, input);
const createClosed = async (): Promise<string> => {
  const id = await createCollection();
  await setDefaultAccess(id, "none");
  return id;
};

describe("the access to a collection", () => {
  it("is its default access and the grants to groups and users", {
    meta: { proves: ["decision.app.grants"] },
  }, async () => {
    const id = await createClosed();
    const viewer = callerOf(world, world.people.viewer);
    const editor = callerOf(world, world.people.editor);
    const member = callerOf(world, world.people.member);
    const outcomes = () => Promise.all([viewer, editor, member].map((caller) => outcomeOf(caller.getCollection(id))));
    expect(await outcomes()).toEqual(["not_found", "not_found", "not_found"]);
    await setGrant({ id, userId: world.people.viewer.id, level: "read" });
    await setGrant({ id, groupId: groups.editors, level: "write" });
    expect(await outcomes()).toEqual(["done", "done", "not_found"]);
    expect(await outcomeOf(editor.create({ collectionId: id }))).toBe("done");
    await setDefaultAccess(id, "read");
    expect(await outcomes()).toEqual(["done", "done", "done"]);
    expect(await outcomeOf(member.create({ collectionId: id }))).toBe("forbidden");
    const page = await listGrants({ id });
    expect(page).toMatchObject({ defaultAccess: "read", total: 3, limit: 25, offset: 0 });
    expect(page.data.map(({ grantee, level }) => [grantee.type, grantee.id, level])).toEqual([
      ["user", world.people.admin.id, "manage"],
      ["group", groups.editors, "write"],
      ["user", world.people.viewer.id, "read"],
    ]);
    expect((await listGrants({ id, limit: 1, offset: 1 })).data).toEqual([page.data[1]]);
  });

  it("a change or removal of a grant takes effect with the next call", {
    meta: { proves: ["decision.app.at-once"] },
  }, async () => {
    const id = await createClosed();
    const userId = world.people.member.id;
    const member = callerOf(world, world.people.member);
    const document = await admin.create({ collectionId: id, publish: true });
    await setGrant({ id, userId, level: "write" });
    expect(await outcomeOf(member.update(document.id, { emoji: "🌱" }))).toBe("done");
    await setGrant({ id, userId, level: "read" });
    expect(await outcomeOf(member.update(document.id, { emoji: "🌳" }))).toBe("forbidden");
    expect(await outcomeOf(removeGrant({ id, userId }))).toBe("done");
    expect(await outcomeOf(member.get(document.id))).toBe("not_found");
    expect(await outcomeOf(removeGrant({ id, userId }))).toBe("done");
  });

  it("each change writes one event, and a call that changes nothing writes none", async () => {
    const id = await createCollection();
    const userId = world.people.viewer.id;
    const changed = (what: string) => ({
      type: "collection.access_changed",
      data: expect.objectContaining({ id, title: "Shared", changed: [what] }),
    });
    const calls = [
      { call: () => setGrant({ id, userId, level: "read" }), what: "grants" },
      { call: () => removeGrant({ id, userId }), what: "grants" },
      { call: () => setDefaultAccess(id, "read"), what: "defaultAccess" },
    ];
    for (const { call, what } of calls) {
      expect(await eventsDuring(world, call)).toEqual([changed(what)]);
      expect(await eventsDuring(world, call)).toEqual([]);
    }
  });

  it("candidates for a grant show names only", async () => {
    const { viewer } = world.people;
    const input = { id: world.collections.open, query: "viewer" };
    const candidates = await admin.run(operations.listGrantCandidates, input);
    expect(candidates).toContainEqual({ type: "group", id: groups.viewers, name: "Viewers" });
    expect(candidates).toContainEqual({ type: "user", id: viewer.id, name: viewer.name });
    expect(JSON.stringify(candidates)).not.toContain("@");
  });

  it("candidates for a grant have none yet, as another one would replace it", async () => {
    const id = await createCollection();
    const { viewer } = world.people;
    const candidates = async () =>
      (await admin.run(operations.listGrantCandidates, { id, query: "viewer" })).map((candidate) => candidate.id);
    await setGrant({ id, userId: viewer.id, level: "write" });
    expect(await candidates()).toEqual([groups.viewers]);
    await setGrant({ id, groupId: groups.viewers, level: "write" });
    expect(await candidates()).toEqual([]);
    await removeGrant({ id, userId: viewer.id });
    expect(await candidates()).toEqual([viewer.id]);
  });

  it("a grant names one user or one group of the team, and a level", async () => {
    const id = await createCollection();
    const { viewer, outsider } = world.people;
    const refused: [object, string][] = [
      [{ id, level: "read" }, "validation_error"],
      [{ id, userId: viewer.id, groupId: groups.editors, level: "read" }, "validation_error"],
      [{ id, userId: viewer.id, level: "none" }, "validation_error"],
      [{ id, userId: viewer.id, level: "read", until: "tomorrow" }, "validation_error"],
      [{ id, userId: outsider.id, level: "read" }, "not_found"],
      [{ id, userId: unknownId, level: "read" }, "not_found"],
      [{ id, groupId: unknownId, level: "read" }, "not_found"],
      [{ id: "x", userId: viewer.id, level: "read" }, "validation_error"],
    ];
    for (const [input, code] of refused) {
      expect(await outcomeOf(setGrant(input)), JSON.stringify(input)).toBe(code);
    }
    expect(await outcomeOf(setDefaultAccess(id, "manage"))).toBe("validation_error");
    expect(await outcomeOf(removeGrant({ id }))).toBe("validation_error");
  });
});

describe("the managers of a collection", () => {
  it("are the only callers who may change its access", { meta: { proves: ["decision.app.grants"] } }, async () => {
    const { run } = await sessionCallerOf(world, world.people.editor);
    const userId = world.people.viewer.id;
    const { open, vault, foreign } = world.collections;
    const attempts = (id: string): Promise<unknown>[] => [
      run(operations.listGrants, { id }),
      run(operations.listGrantCandidates, { id }),
      run(operations.setGrant, { id, userId, level: "read" }),
      run(operations.removeGrant, { id, userId }),
      run(operations.setDefaultAccess, { id, defaultAccess: "none" }),
      run(operations.deleteCollection, { id }),
    ];
    const refused = (id: string, error: object) =>
      Promise.all(attempts(id).map((attempt) => expect(attempt).rejects.toMatchObject(error)));
    await refused(open, { code: "forbidden" });
    for (const id of [vault, unknownId, foreign]) {
      await refused(id, { code: "not_found", message: "Collection not found", details: undefined });
    }
  });

  it("may be added, and the last one stays", async () => {
    const { editor, admin: boss } = world.people;
    const id = await createCollection();
    expect(await outcomeOf(removeGrant({ id, userId: boss.id }))).toBe("conflict");
    expect(await outcomeOf(setGrant({ id, userId: boss.id, level: "write" }))).toBe("conflict");
    await setGrant({ id, userId: editor.id, level: "manage" });
    const manager = await sessionCallerOf(world, editor);
    expect(await outcomeOf(removeGrant({ id, userId: boss.id }, manager))).toBe("done");
    expect(await outcomeOf(removeGrant({ id, userId: editor.id }, manager))).toBe("conflict");
    await setDefaultAccess(id, "read", manager);
    expect(await outcomeOf(listGrants({ id }))).toBe("forbidden");
  });

  it("an admin who may write takes over when the only manager is suspended", {
    meta: { proves: ["decision.app.grants"] },
  }, async () => {
    const { admin: boss } = world.people;
    const editor = await addPerson(world, "Editors");
    const id = await createCollection();
    await setGrant({ id, userId: editor.id, level: "manage" });
    await removeGrant({ id, userId: boss.id });
    await admin.run(operations.suspendUser, { id: editor.id });
    expect(await outcomeOf(setGrant({ id, userId: boss.id, level: "manage" }))).toBe("done");
    expect(await outcomeOf(removeGrant({ id, userId: editor.id }))).toBe("done");
    await admin.run(operations.unsuspendUser, { id: editor.id });
    const returned = await sessionCallerOf(world, editor);
    expect(await outcomeOf(setGrant({ id, userId: editor.id, level: "manage" }, returned))).toBe("forbidden");
  });

  it("of two managers who remove each other at once, one stays", async () => {
    const { editor, admin: boss } = world.people;
    const other = await sessionCallerOf(world, editor);
    for (let round = 0; round < 5; round += 1) {
      const id = await createCollection();
      await setGrant({ id, userId: editor.id, level: "manage" });
      await setDefaultAccess(id, "read");
      const outcomes = await Promise.all([
        outcomeOf(removeGrant({ id, userId: editor.id })),
        outcomeOf(removeGrant({ id, userId: boss.id }, other)),
      ]);
      expect(outcomes.sort()).toEqual(["done", "forbidden"]);
      const where = { teamId: world.teamId, collectionId: id, level: "manage" as const };
      expect(await test.database.client.collectionGrant.count({ where })).toBe(1);
    }
  });
});

it("a sync cursor ends when its caller's access changes, and goes on for other callers", {
  meta: { proves: ["decision.sync.access-changed"] },
}, async () => {
  const id = await createClosed();
  await admin.create({ collectionId: id, publish: true });
  const { viewer, member } = world.people;
  const changed = callerOf(world, viewer);
  const other = callerOf(world, member);
  const begin = async (caller: TestCaller) =>
    (await caller.sync({ updatedSince: "1970-01-01T00:00:00Z", limit: 1000 })).nextCursor;
  const outcome = (caller: TestCaller, cursor: string) => outcomeOf(caller.sync({ cursor }));
  let cursor = await begin(changed);
  const otherCursor = await begin(other);
  const changes = [
    () => setGrant({ id, userId: viewer.id, level: "read" }),
    () => removeGrant({ id, userId: viewer.id }),
  ];
  for (const change of changes) {
    await change();
    expect(await outcome(changed, cursor)).toBe("sync_window_expired");
    expect(await outcome(other, otherCursor)).toBe("done");
    cursor = await begin(changed);
  }
  await admin.run(operations.setUserGroups, { id: viewer.id, groupIds: [groups.members] });
  expect(await outcome(changed, cursor)).toBe("sync_window_expired");
  await admin.run(operations.setUserGroups, { id: viewer.id, groupIds: [groups.viewers] });
});
