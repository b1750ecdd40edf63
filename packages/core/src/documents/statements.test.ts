import {
  abbreviated,
  budgetOf,
  callerOf,
  createWorld,
  statementLog,
  type TestCaller,
  type World,
} from "@kb/core/testing";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { z } from "zod";
import { invoke } from "../invoke.ts";
import type { Operation } from "../operation.ts";
import * as operations from "../operations.ts";

const log = statementLog();
let test: TestDatabase;
let world: World;
let editor: TestCaller;
beforeAll(async () => {
  test = await testDatabase({ onQuery: log.onQuery });
  world = await createWorld(test.database);
  editor = callerOf(world, world.people.editor);
});
afterAll(() => test.drop());

/** Runs an operation as the editor. Returns its statements, of which there are at most as many as its case allows. */
async function run<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  input: object = {},
): Promise<string[]> {
  const statements = await log.during(() => invoke(world.service, operation, world.people.editor.actor, input));
  const message = `${operation.name} ${JSON.stringify(input)}\n${abbreviated(statements)}`;
  expect(statements.length, message).toBeLessThanOrEqual(budgetOf(operation.name));
  return statements;
}

const create = async (input: object = {}): Promise<string> => (await editor.create({ publish: true, ...input })).id;
const createCollection = async (): Promise<string> => (await editor.createCollection({ name: "Counted" })).id;

/** Creates documents, a few at a time: all at once would wait too long for a connection on a busy machine. */
async function createAll(inputs: readonly object[]): Promise<void> {
  const queue = inputs.values();
  const createRest = async (): Promise<void> => {
    for (const input of queue) await create(input);
  };
  await Promise.all(Array.from({ length: 4 }, createRest));
}

/** Creates a document with a number of children. */
async function createTree(size: number): Promise<string> {
  const parentDocumentId = await create();
  await createAll(Array.from({ length: size }, () => ({ parentDocumentId })));
  return parentDocumentId;
}

it("a list runs as many statements for 100 rows as for 1", async () => {
  const small = await createCollection();
  const large = await createCollection();
  const single = await create({ collectionId: small, tags: ["a"] });
  await create({ collectionId: small, text: "counted", parentDocumentId: single });
  const parent = await create({ collectionId: large });
  await createAll(
    Array.from({ length: 100 }, (_, index) => ({
      collectionId: large,
      title: `Row ${index}`,
      text: "counted",
      tags: ["a", `b${index}`],
      parentDocumentId: parent,
    })),
  );
  const epoch = "1970-01-01T00:00:00Z";
  const recent = new Date(Date.now() - 60_000).toISOString();
  const { listDocuments, searchDocuments, listRevisions, listCollections, listTags } = operations;
  const lists: ((collectionId: string, document: string) => Promise<string[]>)[] = [
    (collectionId) => run(listDocuments, { limit: 100, collectionId }),
    (collectionId) =>
      run(listDocuments, {
        limit: 100,
        collectionId,
        tag: ["a"],
        status: ["published"],
        sort: "title",
        format: "markdown",
      }),
    (collectionId) => run(listDocuments, { limit: 100, deleted: true, collectionId }),
    (_, parentDocumentId) => run(listDocuments, { limit: 100, parentDocumentId }),
    (collectionId) => run(listDocuments, { updatedSince: epoch, collectionId }),
    (collectionId) => run(listDocuments, { updatedSince: epoch, format: "markdown", collectionId }),
    (collectionId) => run(listDocuments, { updatedSince: recent, includeDeleted: true, collectionId }),
    (collectionId) => run(searchDocuments, { query: "counted", limit: 100, collectionId }),
    (_, id) => run(listRevisions, { id }),
    () => run(listCollections),
    () => run(listTags),
  ];
  for (const list of lists) {
    const few = await list(small, single);
    const many = await list(large, parent);
    expect(many.length, abbreviated(many)).toBe(few.length);
  }
});

it("a read of one document stays within its budget in every format", async () => {
  const id = await create();
  await run(operations.getDocument, { id });
  await run(operations.getDocument, { id, format: "markdown", include: "content" });
});

it("a change of one document stays within its budget, whatever it changes", async () => {
  const id = await create({ tags: ["a"] });
  await callerOf(world, world.people.admin).update(id, { title: "By another" });
  for (const change of [
    { title: "Changed" },
    { text: "# Changed\n\nbody" },
    { title: "Both", text: "of them", published: false },
    { sortOrder: 4 },
    { published: true },
  ]) {
    await run(operations.updateDocument, { id, ...change });
  }
  const place = { collectionId: world.collections.open, publish: true };
  await run(operations.createDocument, { ...place, title: "New", text: "# New\n\ntext" });
  await run(operations.editDocument, { id, op: "append", markdown: "more" });
  await run(operations.createTag, { name: "new of its kind" });
});

it("50 new tags run as many statements as 1, and at most 10", async () => {
  const id = await create();
  const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
  const few = await run(operations.updateDocument, { id, tags: names(1, "single") });
  const many = await run(operations.updateDocument, { id, tags: names(50, "several") });
  expect(many.length, abbreviated(many)).toBe(few.length);
  expect(few.length, abbreviated(few)).toBeLessThanOrEqual(10);
});

it("a change whose words the vocabulary has adds none, and a new word adds one statement", async () => {
  const id = await create({ text: "Axolotl" });
  const known = await run(operations.updateDocument, { id, text: "Axolotl, axolotl" });
  const unknown = await run(operations.updateDocument, { id, text: "Axolotl, salamander" });
  expect(known.filter((text) => text.includes("search_terms"))).toEqual([]);
  expect(unknown.length, abbreviated(unknown)).toBe(known.length + 1);
});

it("moving a tree of 100 to another collection runs as many statements as a tree of 1", async () => {
  const small = await createTree(1);
  const large = await createTree(100);
  const collectionId = await createCollection();
  const few = await run(operations.updateDocument, { id: small, collectionId });
  const many = await run(operations.updateDocument, { id: large, collectionId });
  expect(many.length, abbreviated(many)).toBe(few.length);
});

it("archiving, deleting and restoring a tree of 100 runs as many statements as a tree of 1", async () => {
  const small = await createTree(1);
  const large = await createTree(100);
  const { archiveDocument, unarchiveDocument, deleteDocument, restoreDocument } = operations;
  const changes: ((id: string) => Promise<string[]>)[] = [
    (id) => run(archiveDocument, { id }),
    (id) => run(unarchiveDocument, { id }),
    (id) => run(deleteDocument, { id }),
    (id) => run(restoreDocument, { id }),
  ];
  for (const change of changes) {
    const few = await change(small);
    const many = await change(large);
    expect(many.length, abbreviated(many)).toBe(few.length);
  }
});
