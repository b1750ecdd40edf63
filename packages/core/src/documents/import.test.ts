import { callerOf, createWorld, type World } from "@kb/core/testing";
import { newId } from "@kb/db";
import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as operations from "../operations.ts";

let test: TestDatabase;
let world: World;
beforeAll(async () => {
  test = await testDatabase();
  world = await createWorld(test.database);
});
afterAll(() => test.drop());

const importOne = (input: object) => {
  const editor = callerOf(world, world.people.editor);
  return editor.run(operations.importDocument, { collectionId: world.collections.open, ...input });
};

describe("importing a document", () => {
  it("creates it under the given id and with the time of its creation, and the service's time of its change", async () => {
    const id = newId();
    const made = await importOne({ id, title: " Old ", text: "# Old", createdAt: "2019-05-04T10:00:00+02:00" });
    expect(made).toMatchObject({ id, title: "Old", createdAt: "2019-05-04T08:00:00.000Z", revision: 1 });
    const read = await callerOf(world, world.people.editor).get(id);
    expect(read).toEqual(made);
    expect(Date.parse(made.updatedAt)).toBeGreaterThan(Date.parse(made.createdAt));
  });

  it("rejects a time of creation in the future", async () => {
    await expect(importOne({ id: newId(), createdAt: "9999-01-01T00:00:00Z" })).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "createdAt", message: "Must not be in the future" }],
    });
  });
});
