import { callerOf, type TestCaller } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const admin = callerOf(world, world.people.admin);
const member = callerOf(world, world.people.member);

describe("creating a tag", () => {
  it("returns the new tag with its normal name and color", {
    meta: { proves: ["tags.create", "tag.field.*"] },
  }, async () => {
    const { tag, created } = await member.createTag({ name: "Fresh", color: "#F0a" });
    expect({ tag, created }).toEqual({
      tag: { id: expect.any(String), name: "fresh", color: "#ff00aa" },
      created: true,
    });
    const listed = await callerOf(world, world.people.viewer).listTags();
    expect(listed.find(({ name }) => name === "fresh")).toEqual({ ...tag, documentCount: 0 });
  });

  it("reuses a tag whose name has the same normal form, and keeps its color", {
    meta: { proves: ["tags.create.reuse", "tag.normalized"] },
  }, async () => {
    const { tag } = await member.createTag({ name: "two words", color: "#111111" });
    for (const name of ["Two Words", "  two \t  words ", "ＴＷＯ words", "two\u00a0words"]) {
      expect(await member.createTag({ name, color: "#222222" }), name).toEqual({ tag, created: false });
    }
  });

  it("trims and folds the name to NFKC and lower case: 1 to 64 code points without a comma", {
    meta: { proves: ["decision.tags.name", "tag.flat"] },
  }, async () => {
    for (const [name, normal] of [
      ["ÅNGSTRÖM", "ångström"],
      ["ﬁne", "fine"],
      ["①", "1"],
      ["İstanbul", "i̇stanbul"],
      ["a/b:c", "a/b:c"],
      ["🧪".repeat(64), "🧪".repeat(64)],
    ]) {
      expect((await member.createTag({ name })).tag.name).toBe(normal);
    }
    for (const name of ["", " \t\n", "a,b", "x".repeat(65), "🧪".repeat(65), "a\u0000", null, 5, undefined]) {
      await expect(member.createTag({ name }), String(name)).rejects.toMatchObject({ code: "validation_error" });
    }
  });

  it("takes a color of the form #rgb or #rrggbb, or null, and no unknown field", {
    meta: { proves: ["tags.create.color", "decision.collections.color"] },
  }, async () => {
    expect((await member.createTag({ name: "no color", color: null })).tag.color).toBeNull();
    for (const color of ["red", "#12", "#1234", "123456", 5]) {
      const create = member.createTag({ name: "bad color", color });
      await expect(create, String(color)).rejects.toMatchObject({ code: "validation_error" });
    }
    await expect(member.createTag({ name: "x", restricted: true })).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "restricted", message: "Unknown field" }],
    });
  });

  it("allows an unrestricted tag beside a restricted one of the same name", {
    meta: { proves: ["decision.tags.restricted-namespace", "tag.restricted-unset"] },
  }, async () => {
    const { tag, created } = await member.createTag({ name: "hidden" });
    expect(created).toBe(true);
    expect(tag.id).not.toBe(world.tags.hidden);
    const namesakes = async (by: TestCaller) => (await by.listTags()).filter(({ name }) => name === "hidden");
    expect(await namesakes(member)).toHaveLength(1);
    expect(await namesakes(admin)).toHaveLength(2);
    expect((await admin.createTag({ name: "hidden" })).tag.id).toBe(tag.id);
  });

  it("happens once when many callers create the same tag at the same time", {
    meta: { proves: ["tags.create.reuse"] },
  }, async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => member.createTag({ name: "raced" })));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ tag }) => tag.id)).size).toBe(1);
  });

  it("happens once for documents that bring the same new tag at the same time", {
    meta: { proves: ["tag.normalized"] },
  }, async () => {
    await Promise.all(Array.from({ length: 20 }, () => member.create({ tags: ["brought"], publish: true })));
    const brought = (await member.listTags()).filter(({ name }) => name === "brought");
    expect(brought).toMatchObject([{ documentCount: 20 }]);
  });
});

describe("a restricted key", () => {
  const restricted = (scopes: readonly ("read" | "write")[] = ["read", "write"]): Promise<TestCaller> =>
    world
      .key(world.people.editor, scopes, { restrictions: { collections: { [world.collections.open]: "write" } } })
      .then((key) => callerOf(world, key));

  it("gets the same answer for a tag that only hidden documents carry, for an unused one and for a new one", {
    meta: { proves: ["decision.tags.restricted-key", "decision.access.restricted-views"] },
  }, async () => {
    await admin.create({ collectionId: world.collections.vault, tags: ["behind the wall"], publish: true });
    const unused = await admin.createTag({ name: "on the shelf", color: "#aaaaaa" });
    const key = await restricted();
    for (const color of [undefined, "#123456"]) {
      for (const name of ["behind the wall", "on the shelf", "never heard of"]) {
        const { tag, created } = await key.createTag({ name, ...(color === undefined ? {} : { color }) });
        // The version of the id reveals no time either.
        expect({ tag, created }, name).toEqual({
          tag: { id: expect.stringMatching(/^[0-9a-f-]{14}-?4/), name, color: color ?? null },
          created: true,
        });
      }
    }
    const names = (await key.listTags()).map((tag) => tag.name);
    for (const name of ["behind the wall", "on the shelf", "never heard of"]) expect(names).not.toContain(name);
    expect((await admin.createTag({ name: "on the shelf" })).tag).toEqual(unused.tag);
  });

  it("reuses a tag of a document that it can read, with its color", {
    meta: { proves: ["decision.tags.restricted-key", "tags.create.reuse"] },
  }, async () => {
    const { tag } = await admin.createTag({ name: "in the open", color: "#00ff00" });
    await admin.create({ tags: ["in the open"], publish: true });
    const key = await restricted();
    expect(await key.createTag({ name: "in the open", color: "#ffffff" })).toEqual({ tag, created: false });
  });

  it("gets one tag, always with the same answer, from many calls at the same time", {
    meta: { proves: ["decision.tags.restricted-key"] },
  }, async () => {
    const key = await restricted();
    const answers = await Promise.all(Array.from({ length: 20 }, () => key.createTag({ name: "raced by a key" })));
    expect(answers.every(({ created }) => created)).toBe(true);
    expect(new Set(answers.map(({ tag }) => tag.id)).size).toBe(1);
    expect((await member.listTags()).filter(({ name }) => name === "raced by a key")).toHaveLength(1);
  });
});
