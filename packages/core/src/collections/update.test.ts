import { callerOf, outcomeOf, type TestCaller } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

describe("updating a collection", () => {
  it("changes only the fields of the input", { meta: { proves: ["collections.update"] } }, async () => {
    const before = await editor.createCollection({ name: "Before", icon: "🚀", color: "#abc", description: "d" });
    const after = await editor.updateCollection(before.id, { name: "After" });
    expect(after).toEqual({ ...before, name: "After", updatedAt: after.updatedAt });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    const fields = { icon: "book", color: "#123456", description: "e" };
    expect(await editor.updateCollection(before.id, fields)).toMatchObject({ name: "After", ...fields });
  });

  it("clears the icon, the color and the description with null, but not the name", {
    meta: { proves: ["decision.collections.null-clears"] },
  }, async () => {
    const { id } = await editor.createCollection({ name: "Clear", icon: "🚀", color: "#abc", description: "d" });
    const nothing = { icon: null, color: null, description: null };
    expect(await editor.updateCollection(id, nothing)).toMatchObject({ name: "Clear", ...nothing });
    expect(await outcomeOf(editor.updateCollection(id, { name: null }))).toBe("validation_error");
  });

  it("leaves no trace if it changes nothing", { meta: { proves: ["decision.documents.no-op"] } }, async () => {
    const before = await editor.createCollection({ name: "Same", color: "#abc" });
    expect(await editor.updateCollection(before.id, {})).toEqual(before);
    const same = { name: "Same", color: "#AABBCC", icon: null };
    expect(await editor.updateCollection(before.id, same)).toEqual(before);
  });

  it("refuses unknown keys and callers who may only read", { meta: { proves: ["errors.validation"] } }, async () => {
    const { collections, people } = world;
    const update = (by: TestCaller, id: string, change: object = { name: "x" }) =>
      outcomeOf(by.updateCollection(id, change));
    expect(await update(editor, collections.open, { sortOrder: 1 })).toBe("validation_error");
    expect(await update(callerOf(world, people.member), collections.readable)).toBe("forbidden");
    const narrow = await world.key(people.editor, ["read", "write"], {
      restrictions: { collections: { [collections.open]: "read" } },
    });
    expect(await update(callerOf(world, narrow), collections.open)).toBe("forbidden");
  });
});
