import { callerOf, outcomeOf, type TestCaller, unknownId } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, await world.session(world.people.editor));
const viewer = callerOf(world, await world.session(world.people.viewer));

const backlinks = async (caller: TestCaller, id: string) =>
  (await caller.run(operations.listBacklinks, { id, limit: 100 })).data.map((entry) => entry.id);
const target = async (): Promise<string> => (await editor.create({ title: "Target", publish: true })).id;
const link = async (text: string, input: object = {}): Promise<string> =>
  (await editor.create({ text, publish: true, ...input })).id;

it("finds links by the document's address in any of its forms, and nothing else", {
  meta: { proves: ["web.backlinks"] },
}, async () => {
  const id = await target();
  const found: string[] = [];
  for (const text of [
    `See [it](/documents/${id}).`,
    `See [it](/documents/${id}-with-a-slug#part "title").`,
    `See [it](http://localhost:3000/documents/${id.toUpperCase()}/slug?x=1).`,
    `See <http://localhost:3000/documents/${id}>.`,
    `See http://localhost:3000/documents/${id} there.`,
    `| a |\n| - |\n| [it](/documents/${id}) |`,
  ]) {
    found.push(await link(text));
  }
  for (const text of [`Only ${id}.`, `/documents/${id}`, `[it](/collections/${id})`, `[it](/documents/${newId()})`]) {
    await link(text);
  }
  expect((await backlinks(editor, id)).sort()).toEqual(found.sort());
  expect((await editor.listIds({ linksTo: id })).sort()).toEqual(found.sort());
  expect((await editor.list({ linksTo: id, limit: 2 })).total).toBe(found.length);
});

it("follows each change of a body, whichever way it is written", { meta: { proves: ["web.backlinks"] } }, async () => {
  const one = await target();
  const two = await target();
  const id = await link(`[it](/documents/${one})`);
  const admin = callerOf(world, world.people.admin);
  await admin.update(id, { text: `[it](/documents/${two})` });
  expect([await backlinks(editor, one), await backlinks(editor, two)]).toEqual([[], [id]]);
  await editor.edit(id, { op: "append", markdown: `[again](/documents/${one})` });
  expect([await backlinks(editor, one), await backlinks(editor, two)]).toEqual([[id], [id]]);
  await editor.restoreRevision(id, 1);
  expect([await backlinks(editor, one), await backlinks(editor, two)]).toEqual([[id], []]);
  await admin.update(id, { text: "No link." });
  expect([await backlinks(editor, one), await backlinks(editor, two)]).toEqual([[], []]);
  await editor.edit(id, { op: "append", markdown: `[it](/documents/${one})` });
  expect([await backlinks(editor, one), await backlinks(editor, two)]).toEqual([[id], []]);
  // The previous release knows nothing of links.
  await test.database.execute(sql`UPDATE document_bodies SET markdown = ${`[it](/documents/${two})`}
    WHERE "teamId" = ${world.teamId}::uuid AND "documentId" = ${id}::uuid`);
  expect([await backlinks(editor, one), await backlinks(editor, two)]).toEqual([[], [id]]);
  await editor.update(two, { text: `[self](/documents/${two})` });
  expect(await backlinks(editor, two)).toEqual([id]);
});

it("shows only documents that the user may see, and nothing about a hidden one", {
  meta: { proves: ["web.backlinks", "decision.api.hidden"] },
}, async () => {
  const id = await target();
  const draft = await link(`[it](/documents/${id})`, { publish: false });
  const admin = callerOf(world, await world.session(world.people.admin));
  const text = `[it](/documents/${id}) [secret](/documents/${world.documents.secret.id})`;
  const inVault = (await admin.create({ text, collectionId: world.collections.vault, publish: true })).id;
  const shown = await link(text);
  const filed = await link(text);
  await editor.archive(filed);
  expect((await backlinks(viewer, id)).sort()).toEqual([shown]);
  expect((await backlinks(editor, id)).sort()).toEqual([draft, shown].sort());
  expect((await backlinks(admin, id)).sort()).toEqual([draft, inVault, shown].sort());
  for (const hidden of [world.documents.secret.id, unknownId]) {
    expect(await outcomeOf(backlinks(editor, hidden))).toBe("not_found");
    expect(await editor.listIds({ linksTo: hidden })).toEqual([]);
  }
});

it("a link is written before the document that it names exists, and goes with its own", {
  meta: { proves: ["web.backlinks"] },
}, async () => {
  const id = newId();
  const from = await link(`[it](/documents/${id})`);
  await test.database.execute(
    sql`UPDATE documents SET id = id WHERE "teamId" = ${world.teamId}::uuid AND id = ${from}::uuid`,
  );
  const count = async () =>
    (await test.database.client.documentLink.findMany({ where: { teamId: world.teamId, toId: id } })).length;
  expect(await count()).toBe(1);
  await test.database.client.document.delete({ where: { teamId_id: { teamId: world.teamId, id: from } } });
  expect(await count()).toBe(0);
});

it("a list is filtered by the user who created its documents", { meta: { proves: ["web.created-by"] } }, async () => {
  const { member, editor: person } = world.people;
  const own = await callerOf(world, member).create({ title: "Of the member" });
  const ids = await editor.listIds({ createdBy: member.id });
  expect(ids).toEqual([own.id, world.documents.memberDraft.id]);
  expect((await editor.list({ createdBy: member.id })).total).toBe(2);
  expect((await editor.listIds({ createdBy: person.id, status: ["draft"] })).length).toBeGreaterThan(0);
  expect(await editor.listIds({ createdBy: unknownId })).toEqual([]);
  const changed = await editor.sync({ createdBy: member.id, updatedSince: new Date(0).toISOString() });
  expect(changed.data.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(await outcomeOf(editor.sync({ linksTo: own.id, updatedSince: new Date(0).toISOString() }))).toBe(
    "validation_error",
  );
});
