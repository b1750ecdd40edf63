import { callerOf } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const editor = callerOf(world, world.people.editor);

async function requireInvalid(input: object, path: string): Promise<void> {
  const error = await editor.createCollection(input).catch((thrown: unknown) => Object(thrown));
  expect(error, JSON.stringify(input)).toMatchObject({ code: "validation_error" });
  expect(error.details[0].path).toBe(path);
}

describe("creating a collection", () => {
  it("returns the collection in all its fields", {
    meta: { proves: ["collections.create", "collection.field.*"] },
  }, async () => {
    const input = { name: "All", icon: "🚀", color: "#00FF7f", description: "What it is." };
    const collection = await editor.createCollection(input);
    expect(collection).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "All",
      icon: "🚀",
      color: "#00ff7f",
      description: "What it is.",
      teamId: world.teamId,
      createdById: world.people.editor.id,
      archivedAt: null,
      sortOrder: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: collection.createdAt,
    });
    expect(await editor.getCollection(collection.id)).toEqual(collection);
  });

  it("takes a name of 1 to 255 characters, counted in code points", {
    meta: { proves: ["collections.create.name", "limits.collection-name"] },
  }, async () => {
    for (const name of ["🧪".repeat(255), "x"]) expect((await editor.createCollection({ name })).name).toBe(name);
    for (const name of ["", "   ", "🧪".repeat(256), null, 5, undefined]) await requireInvalid({ name }, "name");
  });

  it("takes one emoji or a name as its icon", {
    meta: { proves: ["collections.create.icon", "decision.collections.icon"] },
  }, async () => {
    for (const icon of ["👩‍🚀", "🇩🇪", "book-open", "a", "9", "a".repeat(64)]) {
      expect((await editor.createCollection({ name: "Icon", icon })).icon).toBe(icon);
    }
    for (const icon of ["", "Book", "two words", "🚀🚀", "a".repeat(65), "<svg>", 5]) {
      await requireInvalid({ name: "Icon", icon }, "icon");
    }
  });

  it("takes a color as #rgb or #rrggbb in any case, and stores it as lower-case #rrggbb", {
    meta: { proves: ["collections.create.color", "decision.collections.color"] },
  }, async () => {
    for (const [color, stored] of [
      ["#ABC", "#aabbcc"],
      ["#a1B2c3", "#a1b2c3"],
      ["#000", "#000000"],
    ]) {
      expect((await editor.createCollection({ name: "Color", color })).color).toBe(stored);
    }
    for (const color of ["", "abc", "#ab", "#abcd", "#abcde", "#abcdefa", "#ggg", "red", " #abc", 5]) {
      await requireInvalid({ name: "Color", color }, "color");
    }
  });

  it("takes a description of at most 10,000 characters", {
    meta: { proves: ["collections.create.description"] },
  }, async () => {
    const description = "Line\n\tline";
    expect((await editor.createCollection({ name: "D", description })).description).toBe(description);
    await requireInvalid({ name: "D", description: "x".repeat(10_001) }, "description");
  });

  it("refuses unknown keys by name", { meta: { proves: ["errors.validation"] } }, async () => {
    await expect(editor.createCollection({ name: "x", colour: "#abc" })).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "colour", message: "Unknown field" }],
    });
  });
});
