import { callerOf, outcomeOf, unknownId } from "@kb/core/testing";
import { expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

async function collectionOf(titles: readonly string[], parentDocumentId?: string) {
  const collectionId = (await editor.createCollection({ name: "Ordered" })).id;
  const ids = new Map<string, string>();
  for (const title of titles) {
    ids.set(title, (await editor.create({ title, collectionId, publish: true, parentDocumentId })).id);
  }
  return { collectionId, id: (title: string): string => ids.get(title) ?? unknownId };
}

const order = async (collectionId: string): Promise<string> =>
  (await editor.list({ collectionId, sort: "sortOrder", limit: 100 })).data.map(({ title }) => title).join("");

it("a document is placed after a sibling or first, and stays there if it is there already", {
  meta: { proves: ["web.order"] },
}, async () => {
  const { collectionId, id } = await collectionOf(["a", "b", "c", "d"]);
  await editor.update(id("a"), { after: id("c") });
  expect(await order(collectionId)).toBe("bcad");
  await editor.update(id("d"), { after: null });
  expect(await order(collectionId)).toBe("dbca");
  const before = await editor.get(id("b"));
  expect(await editor.update(id("b"), { after: id("d") })).toMatchObject({ revision: before.revision });
  await editor.create({ title: "e", collectionId, after: id("b") });
  await editor.create({ title: "f", collectionId, after: null });
  expect(await order(collectionId)).toBe("fdbeca");
});

it("siblings that make way get a revision and an event each", { meta: { proves: ["web.order"] } }, async () => {
  const { collectionId, id } = await collectionOf(["a", "b", "c"]);
  const revisions = async () =>
    Promise.all(["a", "b", "c"].map(async (title) => (await editor.get(id(title))).revision));
  expect(await revisions()).toEqual([1, 1, 1]);
  await editor.update(id("c"), { after: id("a") });
  expect(await order(collectionId)).toBe("acb");
  expect((await revisions()).reduce((sum, revision) => sum + revision)).toBe(5);
});

it("a move to another parent or collection takes its place among the siblings there", {
  meta: { proves: ["web.order"] },
}, async () => {
  const from = await collectionOf(["x", "y"]);
  const to = await collectionOf(["a", "b"]);
  await editor.update(from.id("x"), { collectionId: to.collectionId, after: to.id("a") });
  expect([await order(from.collectionId), await order(to.collectionId)]).toEqual(["y", "axb"]);
  const first = await editor.create({ title: "1", collectionId: to.collectionId, parentDocumentId: to.id("a") });
  const moved = await editor.update(to.id("b"), { parentDocumentId: to.id("a"), after: first.id });
  expect(moved.parentDocumentId).toBe(to.id("a"));
  expect(moved.sortOrder).toBeGreaterThanOrEqual(first.sortOrder);
});

it("only a visible sibling in the same place can be named", { meta: { proves: ["web.order"] } }, async () => {
  const { collectionId, id } = await collectionOf(["a", "b"]);
  const elsewhere = await collectionOf(["x"]);
  const update = (change: object) => outcomeOf(editor.update(id("a"), change));
  expect(await update({ after: unknownId })).toBe("not_found");
  expect(await update({ after: world.documents.secret.id })).toBe("not_found");
  expect(await update({ after: elsewhere.id("x") })).toBe("conflict");
  expect(await update({ after: id("a") })).toBe("validation_error");
  expect(await update({ after: id("b"), sortOrder: 1 })).toBe("validation_error");
  await editor.archive(id("b"));
  expect(await update({ after: id("b") })).toBe("conflict");
  expect(await outcomeOf(callerOf(world, world.people.viewer).update(id("a"), { after: null }))).toBe("forbidden");
  expect(await order(collectionId)).toBe("a");
});

it("of many moves at once each is done, and all documents keep an order of their own", {
  meta: { proves: ["web.order"] },
}, async () => {
  const titles = ["a", "b", "c", "d", "e", "f"];
  const { collectionId, id } = await collectionOf(titles);
  await Promise.all(titles.slice(1).map((title) => editor.update(id(title), { after: id("a") })));
  const shown = await order(collectionId);
  expect(shown.startsWith("a")).toBe(true);
  expect([...shown].sort()).toEqual(titles);
  for (let round = 0; round < 60; round += 1) await editor.update(id(round % 2 === 0 ? "b" : "c"), { after: id("a") });
  expect((await order(collectionId)).startsWith("acb")).toBe(true);
});

it("an update returns the whole document, or its revision only", { meta: { proves: ["web.minimal"] } }, async () => {
  const { id } = await editor.create({ title: "Long", text: "Text. ".repeat(1_000) });
  const minimal = await editor.update(id, { title: "Renamed", return: "minimal" });
  const now = await editor.get(id);
  expect(minimal).toEqual({ id, revision: 2, updatedAt: now.updatedAt });
  expect(await editor.update(id, { title: "Renamed", return: "minimal" })).toEqual(minimal);
  expect(await editor.update(id, { title: "Again" })).toMatchObject({ title: "Again", text: now.text });
  expect(await outcomeOf(editor.update(id, { return: "all" }))).toBe("validation_error");
});
