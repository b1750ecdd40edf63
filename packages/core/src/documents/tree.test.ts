import { callerOf, outcomeOf, type TestCaller, unknownId } from "@kb/core/testing";
import { sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, await world.session(world.people.editor));
const member = callerOf(world, await world.session(world.people.member));
const viewer = callerOf(world, await world.session(world.people.viewer));

const collection = async (): Promise<string> => (await editor.createCollection({ name: "Tree" })).id;
const create = async (collectionId: string, title: string, input: object = {}): Promise<string> =>
  (await editor.create({ collectionId, title, publish: true, ...input })).id;
const read = (caller: TestCaller, input: object) => caller.run(operations.readTree, input);
const level = async (caller: TestCaller, input: object) => {
  const [first] = (await read(caller, input)).levels;
  if (first === undefined) throw new Error("the answer has no level");
  return first;
};
const titles = async (caller: TestCaller, input: object): Promise<string[]> =>
  (await level(caller, input)).data.map(({ title }) => title);

describe("a level of the tree", () => {
  it("holds the active documents below a parent in their order, without their bodies", {
    meta: { proves: ["web.tree.level"] },
  }, async () => {
    const collectionId = await collection();
    const a = await create(collectionId, "A", { sortOrder: 2, emoji: "🌳" });
    await create(collectionId, "B", { sortOrder: 1 });
    await create(collectionId, "Below", { parentDocumentId: a, publish: false });
    const gone = await create(collectionId, "Gone");
    await editor.delete(gone);
    const filed = await create(collectionId, "Filed");
    await editor.archive(filed);
    const answer = await read(editor, { collectionId });
    expect(answer).toMatchObject({ collectionId, path: [] });
    const abilities = { edit: true, publish: true, delete: true };
    expect(answer.levels).toEqual([
      {
        parentId: null,
        nextCursor: null,
        data: [
          expect.objectContaining({ title: "B", hasChildren: false, state: "published" }),
          {
            id: a,
            parentId: null,
            title: "A",
            emoji: "🌳",
            state: "published",
            sortOrder: 2,
            hasChildren: true,
            abilities,
          },
        ],
      },
    ]);
    expect(await level(editor, { collectionId, parentId: a })).toMatchObject({
      parentId: a,
      data: [{ title: "Below", state: "draft", parentId: a, hasChildren: false }],
    });
  });

  it("continues by its cursor, and ends with none; documents of the same order are distinguished", {
    meta: { proves: ["web.tree.level"] },
  }, async () => {
    const collectionId = await collection();
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    for (const [place, name] of names.entries()) await create(collectionId, name, { sortOrder: Math.floor(place / 3) });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await level(editor, { collectionId, limit: 2, ...(cursor ? { cursor } : {}) });
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(names);
    expect(await outcomeOf(read(editor, { collectionId, cursor: "bad" }))).toBe("validation_error");
    expect(await outcomeOf(read(editor, { collectionId, limit: 501 }))).toBe("validation_error");
  });

  it("shows a document at the top level if the user may not see its parent, or its parent is archived", {
    meta: { proves: ["web.tree.hidden"] },
  }, async () => {
    const collectionId = await collection();
    const draft = await create(collectionId, "Draft", { publish: false });
    const below = await create(collectionId, "Below the draft", { parentDocumentId: draft });
    expect(await titles(editor, { collectionId })).toEqual(["Draft"]);
    expect(await titles(viewer, { collectionId })).toEqual(["Below the draft"]);
    expect(await outcomeOf(read(viewer, { collectionId, parentId: draft }))).toBe("not_found");
    const top = await read(viewer, { to: below });
    expect(top.path.map(({ id, parentId }) => [id, parentId])).toEqual([[below, null]]);
    await editor.archive(below);
    const under = await create(collectionId, "Under", { parentDocumentId: draft });
    await test.database.execute(sql`UPDATE documents SET "archivedAt" = now()
      WHERE "teamId" = ${world.teamId}::uuid AND id = ${draft}::uuid`);
    expect(await titles(editor, { collectionId })).toEqual(["Under"]);
    expect((await read(editor, { to: under })).path.map(({ title }) => title)).toEqual(["Under"]);
    expect(await read(editor, { to: below })).toMatchObject({ path: [], levels: [{ parentId: null }] });
  });

  it("shows what the user may do with each row, and children only that they may see", {
    meta: { proves: ["web.tree.hidden", "web.abilities"] },
  }, async () => {
    const collectionId = await collection();
    const parent = await create(collectionId, "Parent");
    await create(collectionId, "A draft", { parentDocumentId: parent, publish: false });
    const own = (await member.create({ collectionId, title: "Own" })).id;
    expect((await level(editor, { collectionId })).data.find(({ id }) => id === parent)?.hasChildren).toBe(true);
    const [seen] = (await level(viewer, { collectionId })).data;
    expect(seen).toMatchObject({
      id: parent,
      hasChildren: false,
      abilities: { edit: false, publish: false, delete: false },
    });
    const rows = new Map((await level(member, { collectionId })).data.map(({ id, abilities }) => [id, abilities]));
    expect(rows.get(own)).toEqual({ edit: true, publish: true, delete: true });
    expect(rows.get(parent)).toEqual({ edit: true, publish: false, delete: false });
  });

  it("of a hidden collection or parent does not exist", { meta: { proves: ["web.tree.hidden"] } }, async () => {
    const { vault, open } = world.collections;
    for (const collectionId of [vault, unknownId]) {
      expect(await outcomeOf(read(editor, { collectionId }))).toBe("not_found");
    }
    for (const parentId of [world.documents.secret.id, unknownId]) {
      expect(await outcomeOf(read(editor, { collectionId: open, parentId }))).toBe("not_found");
      expect(await outcomeOf(read(editor, { to: parentId }))).toBe("not_found");
    }
    expect(await outcomeOf(read(editor, { collectionId: await collection(), to: world.documents.guide.id }))).toBe(
      "not_found",
    );
    expect(await outcomeOf(read(editor, {}))).toBe("validation_error");
  });
});

describe("the tree opened at a document", () => {
  it("has the documents down to it and the level of each, in one answer", {
    meta: { proves: ["web.tree.path"] },
  }, async () => {
    const collectionId = await collection();
    const a = await create(collectionId, "A", { sortOrder: 1 });
    const b = await create(collectionId, "B", { parentDocumentId: a });
    const c = await create(collectionId, "C", { parentDocumentId: b });
    await create(collectionId, "Beside A", { sortOrder: 2 });
    await create(collectionId, "Beside C", { parentDocumentId: b });
    const answer = await read(viewer, { to: c });
    expect(answer.collectionId).toBe(collectionId);
    expect(answer.path.map(({ id, parentId }) => [id, parentId])).toEqual([
      [a, null],
      [b, a],
      [c, b],
    ]);
    expect(answer.levels.map(({ parentId, data }) => [parentId, data.map(({ title }) => title)])).toEqual([
      [null, ["A", "Beside A"]],
      [a, ["B"]],
      [b, ["C", "Beside C"]],
    ]);
  });

  it("has the document in its path where its level is longer than a page, and few statements at any depth", {
    meta: { proves: ["web.tree.path"] },
  }, async () => {
    const collectionId = await collection();
    const parent = await create(collectionId, "Parent");
    const rows = 700;
    await test.database.execute(sql`INSERT INTO documents ("teamId", id, title, "titleKey", "collectionId", "parentDocumentId",
        "sortOrder", "runStartedAt", "publishedAt", "createdAt", "updatedAt")
      SELECT ${world.teamId}::uuid, gen_random_uuid(), 'Row ' || n, 'row ' || n, ${collectionId}::uuid, ${parent}::uuid, n,
        now(), now(), now(), now() FROM generate_series(1, ${rows}::int) n`);
    const last = await create(collectionId, "Last", { parentDocumentId: parent, sortOrder: rows + 1 });
    const answer = await read(viewer, { to: last });
    const [, below] = answer.levels;
    expect(below?.data).toHaveLength(500);
    expect(below?.data.some(({ id }) => id === last)).toBe(false);
    expect(answer.path.at(-1)).toMatchObject({ id: last, sortOrder: rows + 1 });
    let cursor = below?.nextCursor;
    const rest: string[] = [];
    while (cursor) {
      const page = await level(viewer, { collectionId, parentId: parent, cursor });
      rest.push(...page.data.map(({ title }) => title));
      cursor = page.nextCursor;
    }
    expect(rest).toHaveLength(201);
    expect(rest.at(-1)).toBe("Last");
  });
});
