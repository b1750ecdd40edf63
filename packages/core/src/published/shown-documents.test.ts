import { type ChannelShape, callerOf, openChannel, outcomeOf, type TestChannel, unknownId } from "@kb/core/testing";
import { describe, expect, it } from "vitest";
import type { DocumentView } from "../schema/document.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const editor = callerOf(world, world.people.editor);

const create = (input: object): Promise<DocumentView> => editor.create({ publish: true, ...input });
const createCollection = async (): Promise<string> => (await editor.createCollection({ name: "For the world" })).id;
const createTag = async (name: string): Promise<string> => (await editor.createTag({ name })).tag.id;

/** Tells whether the channel shows a document. The answers for one document and for the list must agree. */
async function isShown(channel: TestChannel, id: string): Promise<boolean> {
  const outcome = await outcomeOf(channel.get(id));
  const listed = (await channel.list({ limit: 100 })).data.some((row) => row.id === id);
  expect(outcome).toBe(listed ? "done" : "not_found");
  return listed;
}

describe("a published document", () => {
  it("has exactly the fields of the channel view", {
    meta: { proves: ["published.purpose", "published.list", "published.get"] },
  }, async () => {
    const collectionId = await createCollection();
    const made = await create({ collectionId, title: "Hours", emoji: "🕘", text: "Open **daily**.", tags: ["x"] });
    const channel = await openChannel(world, { collections: [collectionId] });
    const expected = {
      id: made.id,
      title: "Hours",
      emoji: "🕘",
      text: made.text,
      collectionId,
      publishedAt: made.publishedAt,
      updatedAt: made.updatedAt,
    };
    expect(await channel.get(made.id)).toEqual(expected);
    expect(await channel.list()).toEqual({ data: [expected], nextCursor: null });
  });

  it("has markdownText and html exactly if the channel's settings say so", {
    meta: { proves: ["published.field.markdown-text", "decision.channels.formats"] },
  }, async () => {
    const collectionId = await createCollection();
    const { id } = await create({ collectionId, text: "# Hours\n\nOpen **daily** <script>.\n" });
    for (const [markdown, html] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      const channel = await openChannel(world, { collections: [collectionId], markdown, html });
      const document = await channel.get(id);
      expect((await channel.list()).data).toEqual([document]);
      expect("markdownText" in document).toBe(markdown);
      expect("html" in document).toBe(html);
      if (markdown) expect(document.markdownText).toContain("Open **daily**");
      if (html) expect(document.html).toContain("Open <strong>daily</strong> <code>&lt;script&gt;</code>.");
    }
  });

  it("has its html in a page of many documents that are rendered in threads", { timeout: 60_000 }, async () => {
    const collectionId = await createCollection();
    for (let n = 0; n < 25; n += 1) await create({ collectionId, text: "So $x_1 < x_2$ holds. ".repeat(20) });
    const channel = await openChannel(world, { collections: [collectionId], html: true });
    const { data } = await channel.list({ limit: 25 });
    expect(data).toHaveLength(25);
    for (const { html } of data) expect(html).toContain("<msub>");
  });
});

describe("a channel", () => {
  it("shows only published documents outside of trash and archive", {
    meta: { proves: ["published.not-found", "decision.channels.shown"] },
  }, async () => {
    const collectionId = await createCollection();
    const channel = await openChannel(world, { collections: [collectionId] });
    const published = await create({ collectionId });
    const draft = await create({ collectionId, publish: false });
    const archived = await create({ collectionId });
    const trashed = await create({ collectionId });
    await editor.archive(archived.id);
    await editor.delete(trashed.id);
    expect(await isShown(channel, published.id)).toBe(true);
    const { guide, foreign } = world.documents;
    for (const { id } of [draft, archived, trashed, guide, foreign, { id: unknownId }]) {
      expect(await isShown(channel, id)).toBe(false);
      await expect(channel.get(id)).rejects.toMatchObject({ code: "not_found", message: "Document not found" });
    }
  });

  it("loses a document as soon as it is unpublished, archived, trashed, moved out or loses the tag", {
    meta: { proves: ["decision.channels.leaves"] },
  }, async () => {
    const collectionId = await createCollection();
    const other = await createCollection();
    await createTag("site");
    const channel = await openChannel(world, { collections: [collectionId], tags: ["site"] });
    const { id } = await create({ collectionId, tags: ["site"] });
    const changes: readonly { readonly leave: () => Promise<unknown>; readonly comeBack: () => Promise<unknown> }[] = [
      {
        leave: () => editor.update(id, { published: false }),
        comeBack: () => editor.update(id, { published: true }),
      },
      { leave: () => editor.archive(id), comeBack: () => editor.unarchive(id) },
      { leave: () => editor.delete(id), comeBack: () => editor.restore(id) },
      {
        leave: () => editor.update(id, { collectionId: other }),
        comeBack: () => editor.update(id, { collectionId }),
      },
      { leave: () => editor.update(id, { tags: [] }), comeBack: () => editor.update(id, { tags: ["site"] }) },
      {
        leave: () => editor.archiveCollection(collectionId),
        comeBack: () => editor.unarchiveCollection(collectionId),
      },
    ];
    for (const { leave, comeBack } of changes) {
      expect(await isShown(channel, id)).toBe(true);
      await leave();
      expect(await isShown(channel, id)).toBe(false);
      await comeBack();
    }
    expect(await isShown(channel, id)).toBe(true);
  });
});

describe("the sources of a channel", () => {
  it("are any of its collections and any of its tags; with both, a document needs both", {
    meta: { proves: ["decision.channels.sources"] },
  }, async () => {
    const one = await createCollection();
    const two = await createCollection();
    const three = await createCollection();
    for (const name of ["red", "green", "blue"]) await createTag(name);
    const made = {
      oneRed: await create({ collectionId: one, tags: ["red"] }),
      oneBlue: await create({ collectionId: one, tags: ["blue"] }),
      twoGreen: await create({ collectionId: two, tags: ["green"] }),
      twoPlain: await create({ collectionId: two }),
      threeRed: await create({ collectionId: three, tags: ["red"] }),
    };
    const shown = async (shape: ChannelShape): Promise<string[]> => {
      const channel = await openChannel(world, shape);
      const names: string[] = [];
      for (const [name, { id }] of Object.entries(made)) if (await isShown(channel, id)) names.push(name);
      return names;
    };
    expect(await shown({ collections: [one, two] })).toEqual(["oneRed", "oneBlue", "twoGreen", "twoPlain"]);
    expect(await shown({ tags: ["red", "green"] })).toEqual(["oneRed", "twoGreen", "threeRed"]);
    expect(await shown({ collections: [one, two], tags: ["red", "green"] })).toEqual(["oneRed", "twoGreen"]);
  });

  it("still narrow the channel when a tag is gone: it never shows more", {
    meta: { proves: ["decision.channels.sources"] },
  }, async () => {
    const collectionId = await createCollection();
    const tagId = await createTag("fleeting");
    const tagged = await create({ collectionId, tags: ["fleeting"] });
    const plain = await create({ collectionId });
    const channel = await openChannel(world, { collections: [collectionId], tags: ["fleeting"] });
    expect(await isShown(channel, tagged.id)).toBe(true);
    const where = { teamId_id: { teamId: world.teamId, id: tagId } };
    await test.database.client.tag.delete({ where });
    expect(await isShown(channel, tagged.id)).toBe(false);
    expect(await isShown(channel, plain.id)).toBe(false);
  });

  it("never reveal which documents carry a restricted tag", {
    meta: { proves: ["decision.channels.restricted-tags"] },
  }, async () => {
    const collectionId = await createCollection();
    const tagId = await createTag("soon secret");
    const { id } = await create({ collectionId, tags: ["soon secret"] });
    const channel = await openChannel(world, { tags: ["soon secret"] });
    expect(await isShown(channel, id)).toBe(true);
    const where = { teamId_id: { teamId: world.teamId, id: tagId } };
    await test.database.client.tag.update({ where, data: { restricted: true } });
    expect(await isShown(channel, id)).toBe(false);
  });
});
