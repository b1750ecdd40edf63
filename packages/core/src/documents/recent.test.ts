import { callerOf, createWorld, outcomeOf, type TestCaller, type World } from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { testClock } from "@kb/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "../index.ts";
import { flushViews } from "./record-view.ts";

const clock = testClock();
const statements: string[] = [];
let test: TestDatabase;
let world: World;
let editor: TestCaller;
let viewer: TestCaller;
beforeAll(async () => {
  test = await testDatabase({ onQuery: (text) => statements.push(text) });
  world = await createWorld(test.database, { clock });
  editor = callerOf(world, await world.session(world.people.editor));
  viewer = callerOf(world, await world.session(world.people.viewer));
});
afterAll(() => test.drop());

const recent = (caller: TestCaller, input: object = {}) => caller.run(operations.listRecent, input);
const idsOf = (rows: readonly { id: string }[] | undefined) => rows?.map(({ id }) => id);
async function view(caller: TestCaller, id: string, input: object = {}): Promise<void> {
  await caller.run(operations.viewDocument, { id, ...input });
  await flushViews(test.database);
}

it("the documents that the user opened last come first, without those that they only prefetched or may not see now", {
  meta: { proves: ["web.recent"] },
}, async () => {
  const created = [];
  for (const title of ["One", "Two", "Three", "Four"]) created.push((await editor.create({ title, publish: true })).id);
  const [one = "", two = "", three = "", four = ""] = created;
  for (const id of [one, two, three]) {
    clock.advance(1_000);
    await view(viewer, id);
  }
  await view(viewer, four, { prefetch: true });
  clock.advance(6 * 60_000);
  await view(viewer, one);
  const { viewed } = await recent(viewer);
  expect(idsOf(viewed)).toEqual([one, three, two]);
  expect(viewed?.[0]).toMatchObject({
    title: "One",
    viewedAt: clock.now().toISOString(),
    collection: { name: "Open" },
  });
  await editor.update(three, { published: false });
  await editor.delete(two);
  expect(idsOf((await recent(viewer)).viewed)).toEqual([one]);
  expect(idsOf((await recent(editor)).viewed)).toEqual([]);
});

it("a view is written at most once in five minutes, after the response, and not again for each reader", {
  meta: { proves: ["web.views"] },
}, async () => {
  const { id } = await editor.create({ publish: true });
  const writes = () => statements.filter((text) => text.includes("INSERT INTO document_views")).length;
  statements.length = 0;
  await viewer.run(operations.viewDocument, { id });
  expect(writes()).toBe(0);
  await flushViews(test.database);
  expect(writes()).toBe(1);
  for (let n = 0; n < 4; n += 1) {
    clock.advance(60_000);
    await view(viewer, id);
  }
  expect(writes()).toBe(1);
  clock.advance(60_000);
  await view(viewer, id);
  expect(writes()).toBe(2);
});

it("a view of a document that is deleted meanwhile is dropped, and the others are written", {
  meta: { proves: ["web.views"] },
}, async () => {
  const gone = await editor.create({ publish: true });
  const stays = await editor.create({ publish: true });
  clock.advance(60_000);
  await viewer.run(operations.viewDocument, { id: gone.id });
  await viewer.run(operations.viewDocument, { id: stays.id });
  const where = { teamId_id: { teamId: world.teamId, id: gone.id } };
  await test.database.client.document.delete({ where });
  await flushViews(test.database);
  expect(idsOf((await recent(viewer)).viewed)?.[0]).toBe(stays.id);
});

it("others' changes, what the user created, and their drafts are lists of their own", {
  meta: { proves: ["web.recent"] },
}, async () => {
  const admin = callerOf(world, world.people.admin);
  const own = await editor.create({ title: "Own", publish: true });
  const draft = await editor.create({ title: "Draft" });
  const theirs = await admin.create({ title: "Theirs", publish: true });
  const hidden = await admin.create({ title: "Hidden", collectionId: world.collections.vault, publish: true });
  const changed = await editor.create({ title: "Changed", publish: true });
  await admin.update(changed.id, { title: "Changed by the admin" });
  const answer = await recent(editor, { lists: ["changed", "created", "drafts"], limit: 50 });
  expect(answer).not.toHaveProperty("viewed");
  expect(idsOf(answer.changed)?.slice(0, 2)).toEqual([changed.id, theirs.id]);
  expect(answer.changed?.[0]?.lastModifiedBy).toEqual({ id: world.people.admin.id, name: world.people.admin.name });
  expect(idsOf(answer.changed)).not.toContain(hidden.id);
  expect(idsOf(answer.changed)).not.toContain(own.id);
  expect(idsOf(answer.created)?.slice(0, 3)).toEqual([changed.id, draft.id, own.id]);
  expect(idsOf(answer.drafts)?.[0]).toBe(draft.id);
  expect(idsOf(answer.drafts)).not.toContain(own.id);
  expect((await recent(editor, { limit: 1 })).changed).toHaveLength(1);
  expect(await outcomeOf(recent(editor, { limit: 51 }))).toBe("validation_error");
  expect(await outcomeOf(recent(editor, { lists: ["all"] }))).toBe("validation_error");
});
