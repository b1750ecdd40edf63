import { eventsDuring, outcomeOf, sessionCallerOf } from "@kb/core/testing";
import { newId, sql } from "@kb/db";
import { describe, expect, it } from "vitest";
import { operations } from "../index.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const admin = await sessionCallerOf(world, world.people.admin);

const write = (input: object = {}) => admin.create({ publish: true, title: "Tagged", ...input });
const findTags = async (name: string) => (await admin.listTags()).filter((tag) => tag.name === name);
const idOf = async (name: string) => (await findTags(name))[0]?.id;
const countHits = async (query: string) => (await admin.search(query)).total;
const updateTag = (input: object, by = admin) => by.run(operations.updateTag, input);
const deleteTag = (input: object, by = admin) => by.run(operations.deleteTag, input);

/** Copies a document with its body and tags. */
async function copyDocument(id: string, count: number): Promise<void> {
  const { teamId } = world;
  const ids = Array.from({ length: count }, () => newId());
  await test.database.execute(sql`INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', n.id,
      'updatedAt', d."updatedAt" - n.place * interval '1 ms'))).*
    FROM documents d, unnest(${ids}::uuid[]) WITH ORDINALITY AS n(id, place)
    WHERE d."teamId" = ${teamId}::uuid AND d.id = ${id}::uuid`);
  await test.database.execute(sql`INSERT INTO document_bodies ("teamId", "documentId", content, text, markdown, folded, vector)
    SELECT b."teamId", n.id, b.content, b.text, b.markdown, b.folded, b.vector
    FROM document_bodies b, unnest(${ids}::uuid[]) AS n(id)
    WHERE b."teamId" = ${teamId}::uuid AND b."documentId" = ${id}::uuid`);
  await test.database.execute(sql`INSERT INTO document_tags ("teamId", "documentId", "tagId")
    SELECT t."teamId", n.id, t."tagId" FROM document_tags t, unnest(${ids}::uuid[]) AS n(id)
    WHERE t."teamId" = ${teamId}::uuid AND t."documentId" = ${id}::uuid`);
}

describe("changing a tag", () => {
  it("renaming it changes every document, with a revision, an event and the search", {
    meta: { proves: ["decision.app.tag-changes"] },
  }, async () => {
    const before = "quokkaland";
    const after = "wombatland";
    const documents = [await write({ tags: [before, "zz other"] }), await write({ tags: [before], publish: false })];
    const trashed = await write({ tags: [before] });
    await admin.delete(trashed.id);
    const id = await idOf(before);
    const events = await eventsDuring(world, async () => {
      const renamed = await updateTag({ id, name: after.toUpperCase(), color: "#0b6b5f" });
      expect(renamed).toEqual({ id, name: after, color: "#0b6b5f" });
    });
    expect(events.map((event) => event.type)).toEqual([
      "tag.updated",
      "document.updated",
      "document.updated",
      "document.updated",
    ]);
    expect(events[0]?.data).toMatchObject({ name: after, changed: ["name", "color"] });
    expect(events[1]?.data).toMatchObject({ changed: ["tags"] });
    for (const document of documents) {
      const now = await admin.get(document.id);
      expect(now.tags).toEqual(document.tags.map((name) => (name === before ? after : name)).sort());
      expect(now.revision).toBe(document.revision + 1);
      expect(now.updatedAt > document.updatedAt).toBe(true);
    }
    expect([await countHits(before), await countHits(after)]).toEqual([0, 2]);
    expect(await eventsDuring(world, () => updateTag({ id, name: after }))).toEqual([]);
  });

  it("deleting it changes every document, with a revision, an event and the search", {
    meta: { proves: ["decision.app.tag-changes"] },
  }, async () => {
    const name = "numbatland";
    const document = await write({ tags: [name, "kept"] });
    const id = await idOf(name);
    const events = await eventsDuring(world, () => deleteTag({ id }));
    expect(events.map((event) => event.type)).toEqual(["tag.deleted", "document.updated"]);
    expect(await admin.get(document.id)).toMatchObject({ tags: ["kept"], revision: document.revision + 1 });
    expect(await findTags(name)).toEqual([]);
    expect(await countHits(name)).toBe(0);
    await expect(deleteTag({ id })).rejects.toMatchObject({ code: "not_found", message: "Tag not found" });
  });

  it("a tag of 60 documents of 1 MB is renamed while its documents are still being indexed", {
    timeout: 300_000,
  }, async () => {
    const { id: documentId } = await write({ tags: ["dugong"], text: "A word of a long text.\n\n".repeat(43_000) });
    const { id: small } = await write({ tags: ["dugong"], text: "Short." });
    await copyDocument(documentId, 59);
    const id = await idOf("dugong");
    expect(await updateTag({ id, name: "manatee" })).toMatchObject({ name: "manatee" });
    expect((await admin.get(documentId)).tags).toEqual(["manatee"]);
    const search = await admin.search("manatee short");
    expect(search.data.map(({ document }) => document.id)).toEqual([small]);
    await expect.poll(() => countHits("manatee"), { timeout: 240_000 }).toBe(61);
    expect(await countHits("dugong")).toBe(0);
  });

  it("a name that is taken and another team's tag are refused", async () => {
    const name = newId();
    const taken = newId();
    await write({ tags: [name, taken] });
    const id = await idOf(name);
    expect(await outcomeOf(updateTag({ id, name: taken }))).toBe("conflict");
    expect(await outcomeOf(updateTag({ id, name: taken, note: "x" }))).toBe("validation_error");
    const outsider = await sessionCallerOf(world, world.people.outsider);
    expect(await outcomeOf(updateTag({ id }, outsider))).toBe("not_found");
    expect(await outcomeOf(deleteTag({ id }, outsider))).toBe("not_found");
  });

  it("a change of a tag that meets changes of documents leaves each document consistent", async () => {
    for (let round = 0; round < 3; round += 1) {
      const name = newId();
      const renamed = newId();
      const documents = await Promise.all(Array.from({ length: 4 }, () => write()));
      await admin.createTag({ name });
      const id = await idOf(name);
      await Promise.all([
        round === 0 ? deleteTag({ id }) : updateTag({ id, name: renamed }),
        ...documents.map((document) => admin.update(document.id, { tags: [name] })),
      ]);
      for (const document of documents) {
        const { tags, revision } = await admin.get(document.id);
        // Tagged before the change: what the change left. Tagged after it: a new tag of the old name.
        expect(tags).toBeOneOf([[name], [renamed], []]);
        if (tags[0] !== name) expect(revision).toBe(3);
        expect(await countHits(tags[0] ?? "nothing of this")).toBeGreaterThanOrEqual(tags.length);
      }
    }
  });
});
