import { callerOf, type TestCaller } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const admin = callerOf(world, world.people.admin);
const editor = callerOf(world, world.people.editor);
const member = callerOf(world, world.people.member);
const viewer = callerOf(world, world.people.viewer);
const outsider = callerOf(world, world.people.outsider);

describe("the list of tags", () => {
  it("is sorted by name and holds each name once", { meta: { proves: ["tags.list"] } }, async () => {
    for (const name of ["zebra", "apple", "mango"]) await member.createTag({ name });
    const names = (await viewer.listTags()).map((tag) => tag.name);
    expect(names.length).toBeGreaterThan(3);
    expect(names).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
  });

  it("holds restricted tags only for those on their list", {
    meta: { proves: ["tag.restricted-hidden", "tags.list", "decision.api.hidden"] },
  }, async () => {
    const { hidden } = world.tags;
    const isListed = async (by: TestCaller): Promise<boolean> => (await by.listTags()).some(({ id }) => id === hidden);
    expect(await isListed(admin)).toBe(true);
    expect(await isListed(member)).toBe(false);
    expect(await isListed(viewer)).toBe(false);
    expect(await isListed(outsider)).toBe(false);
  });

  it("marks a restricted tag, and no other", { meta: { proves: ["tags.list"] } }, async () => {
    const { hidden } = world.tags;
    const marked = (await admin.listTags()).filter((tag) => "restricted" in tag);
    expect(marked.map(({ id, restricted }) => [id, restricted])).toEqual([[hidden, true]]);
    expect((await member.listTags()).filter((tag) => "restricted" in tag)).toEqual([]);
  });

  it("counts the documents that the caller may read, without trash and archive", {
    meta: { proves: ["decision.tags.document-count", "tag.field.document-count"] },
  }, async () => {
    const { open, vault, granted } = world.collections;
    const create = async (input: object): Promise<string> =>
      (await admin.create({ tags: ["counted"], publish: true, ...input })).id;
    await create({ collectionId: open });
    await create({ collectionId: vault });
    await create({ collectionId: granted });
    await create({ collectionId: open, publish: false });
    await admin.archive(await create({ collectionId: open }));
    await admin.delete(await create({ collectionId: open }));
    const count = async (by: TestCaller): Promise<number | undefined> =>
      (await by.listTags()).find((tag) => tag.name === "counted")?.documentCount;
    expect(await count(admin)).toBe(4);
    expect(await count(editor)).toBe(2);
    expect(await count(member)).toBe(3);
    expect(await count(viewer)).toBe(2);
  });

  it("leaves out a tag that only documents out of the caller's sight carry", {
    meta: { proves: ["decision.tags.in-sight", "decision.api.hidden"] },
  }, async () => {
    const { vault, granted, open } = world.collections;
    const inVault = await admin.create({ collectionId: vault, tags: ["in the vault"], publish: true });
    await admin.create({ collectionId: granted, tags: ["for a few"], publish: true });
    await admin.create({ collectionId: open, tags: ["on a draft"] });
    const filed = await admin.create({ collectionId: open, tags: ["on the archived"], publish: true });
    await admin.archive(filed.id);
    await member.createTag({ name: "on nothing" });
    const names = ["in the vault", "for a few", "on a draft", "on the archived", "on nothing"];
    const known = async (by: TestCaller): Promise<string[]> => {
      const listed = (await by.listTags()).map((tag) => tag.name);
      return names.filter((name) => listed.includes(name));
    };
    expect(await known(admin)).toEqual(names);
    expect(await known(member)).toEqual(["for a few", "on a draft", "on the archived", "on nothing"]);
    expect(await known(editor)).toEqual(["on a draft", "on the archived", "on nothing"]);
    expect(await known(viewer)).toEqual(["for a few", "on the archived", "on nothing"]);
    expect(await known(outsider)).toEqual([]);
    await admin.delete(inVault.id);
    expect(await known(member)).not.toContain("in the vault");
    await admin.update(filed.id, { tags: ["in the vault"] });
    expect(await known(member)).toContain("in the vault");
  });
});

it("a restricted tag is in no filter, search or document for callers who are not on its list", {
  meta: { proves: ["tag.restricted-hidden", "document.field.tags"] },
}, async () => {
  const listed = async (by: TestCaller, filter: object): Promise<number> => (await by.list(filter)).total;
  const found = async (by: TestCaller, query: string, filter: object = {}): Promise<number> =>
    (await by.search(query, filter)).total;
  expect(await listed(admin, { tag: ["hidden"] })).toBe(1);
  expect(await listed(member, { tag: ["hidden"] })).toBe(0);
  expect(await listed(member, { tags: "hidden,guide" })).toBe(0);
  expect(await found(admin, "guide", { tag: ["hidden"] })).toBe(1);
  expect(await found(member, "guide", { tag: ["hidden"] })).toBe(0);
  expect(await found(member, "hidden")).toBe(0);
  for (const by of [admin, member]) {
    expect((await by.get(world.documents.guide.id)).tags).toEqual(["guide"]);
  }
});
