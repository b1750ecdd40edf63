import { callerOf, outcomeOf, type TestCaller, unknownId } from "@kb/core/testing";
import { sql } from "@kb/db";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";
import { maxStars } from "./star.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, await world.session(world.people.editor));
const viewer = callerOf(world, await world.session(world.people.viewer));

const star = (caller: TestCaller, id: string) => caller.run(operations.createStar, { id });
const unstar = (caller: TestCaller, id: string) => caller.run(operations.deleteStar, { id });
const starred = async (caller: TestCaller) => (await caller.run(operations.listStars)).map(({ id }) => id);

it("a user stars documents and sees their own stars only, the latest first; a repeat changes nothing", {
  meta: { proves: ["web.stars"] },
}, async () => {
  const { guide, child } = world.documents;
  expect(await star(viewer, guide.id)).toEqual({ id: guide.id, starred: true });
  expect(await star(viewer, guide.id)).toEqual({ id: guide.id, starred: true });
  await star(viewer, child.id);
  expect(await starred(viewer)).toEqual([child.id, guide.id]);
  expect(await starred(editor)).toEqual([]);
  const view = (caller: TestCaller) => caller.run(operations.viewDocument, { id: guide.id });
  expect([(await view(viewer)).starred, (await view(editor)).starred]).toEqual([true, false]);
  expect(await unstar(viewer, child.id)).toEqual({ id: child.id, starred: false });
  expect(await unstar(viewer, child.id)).toEqual({ id: child.id, starred: false });
  expect(await starred(viewer)).toEqual([guide.id]);
});

it("a hidden document cannot be starred, and a star of one that was hidden later is not shown but can be removed", {
  meta: { proves: ["web.stars"] },
}, async () => {
  for (const id of [world.documents.secret.id, unknownId]) {
    expect(await outcomeOf(star(viewer, id))).toBe("not_found");
    expect(await unstar(viewer, id)).toEqual({ id, starred: false });
  }
  const { id } = await editor.create({ publish: true });
  await star(viewer, id);
  await editor.update(id, { published: false });
  expect(await starred(viewer)).not.toContain(id);
  await editor.update(id, { published: true });
  expect(await starred(viewer)).toContain(id);
  await unstar(viewer, id);
  expect(await starred(viewer)).not.toContain(id);
});

it("a user has at most 500 stars, and many at once are counted one after another", {
  meta: { proves: ["web.stars"] },
}, async () => {
  const { id } = await editor.create({ publish: true });
  const { actor } = world.people.editor;
  await test.database.execute(sql`INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId", "runStartedAt",
      "publishedAt", "createdAt", "updatedAt")
    SELECT ${world.teamId}::uuid, gen_random_uuid(), 'Star', 'star', ${world.collections.open}::uuid, now(), now(), now(), now()
    FROM generate_series(1, ${maxStars}::int)`);
  await test.database.execute(sql`INSERT INTO document_stars ("teamId", "userId", "documentId", "createdAt")
    SELECT d."teamId", ${actor.userId}::uuid, d.id, now() FROM documents d
    WHERE d."teamId" = ${world.teamId}::uuid AND d."titleKey" = 'star'`);
  expect(await outcomeOf(star(editor, id))).toBe("conflict");
  const [first = ""] = await starred(editor);
  await unstar(editor, first);
  expect(await Promise.all([star(editor, id), star(editor, id)])).toEqual([
    { id, starred: true },
    { id, starred: true },
  ]);
  expect(await starred(editor)).toHaveLength(maxStars);
});
