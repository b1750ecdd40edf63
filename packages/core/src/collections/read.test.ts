import { callerOf, unknownId, type World } from "@kb/core/testing";
import { expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();

it("an unknown collection, a hidden one and one of another team do not exist, in the same words", {
  meta: { proves: ["collections.get.team-scope", "errors.collection-not-found"] },
}, async () => {
  const editor = callerOf(world, world.people.editor);
  for (const id of [unknownId, world.collections.foreign, world.collections.vault]) {
    await expect(editor.getCollection(id)).rejects.toMatchObject({
      code: "not_found",
      message: "Collection not found",
      details: undefined,
    });
  }
});

it("the list holds each collection that the caller may read once", {
  meta: { proves: ["collections.list", "decision.api.hidden"] },
}, async () => {
  const names = async (who: keyof World["people"]): Promise<string[]> =>
    (await callerOf(world, world.people[who]).listCollections()).map((row) => row.name).sort();
  expect(await names("admin")).toEqual(["Granted", "Open", "Readable", "Vault"]);
  expect(await names("editor")).toEqual(["Open", "Readable"]);
  expect(await names("member")).toEqual(["Granted", "Open", "Readable"]);
  expect(await names("viewer")).toEqual(["Granted", "Open", "Readable"]);
  expect(await names("outsider")).toEqual(["Foreign"]);
});
