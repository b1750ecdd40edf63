import { addPerson, callerOf, channelReaderOf, outcomeOf, sessionCallerOf } from "@kb/core/testing";
import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

const { world } = await testWorld();
const author = callerOf(world, world.people.admin);
const admin = await sessionCallerOf(world, world.people.admin);
const { open, vault } = world.collections;

const publish = (title: string, collectionId: string, tags: string[] = [], isPublished = true) =>
  author.create({ collectionId, title, tags, publish: isPublished });
const preview = async (input: object, by = admin) => by.run(operations.previewChannel, { limit: 100, ...input });
const titlesOf = async (input: object, by = admin) => (await preview(input, by)).data.map(({ title }) => title);

/** Returns what a reader of a new channel with these sources gets, in its order. */
async function publishedBy(sources: object): Promise<string[]> {
  const { id } = await admin.run(operations.createChannel, { name: newId(), ...sources });
  const { token } = await admin.run(operations.createChannelToken, { channelId: id, name: "Site" });
  const { data } = await channelReaderOf(world, id, token).list({ limit: 100 });
  return data.map(({ title }) => title);
}

describe("the preview of a channel", () => {
  it("shows exactly what a reader would get with the sources, before they are saved", {
    meta: { proves: ["decision.app.channel-preview"] },
  }, async () => {
    const tag = (await author.createTag({ name: newId() })).tag;
    await publish("Open and tagged", open, [tag.name]);
    await publish("Vault and tagged", vault, [tag.name]);
    await publish("Draft and tagged", open, [tag.name], false);
    const archived = await publish("Archived and tagged", open, [tag.name]);
    await author.run(operations.archiveDocument, { id: archived.id });
    const all = [
      { collectionIds: [open] },
      { collectionIds: [open, vault] },
      { tagIds: [tag.id] },
      { collectionIds: [vault], tagIds: [tag.id] },
    ];
    for (const sources of all) expect(await titlesOf(sources)).toEqual(await publishedBy(sources));
    expect(await titlesOf({ tagIds: [tag.id] })).toEqual(["Open and tagged"]);
    expect(await titlesOf({ collectionIds: [vault], tagIds: [tag.id] })).toEqual(["Vault and tagged"]);
  });

  it("has pages and their total", async () => {
    const { id } = await admin.run(operations.createCollection, { name: newId() });
    for (const title of ["One", "Two", "Three"]) await publish(title, id);
    const first = await preview({ collectionIds: [id], limit: 2 });
    expect(first).toMatchObject({ total: 3, isPartial: false, data: [{ title: "Three" }, { title: "Two" }] });
    expect(await titlesOf({ collectionIds: [id], limit: 2, offset: 2 })).toEqual(["One"]);
  });

  it("shows nothing that its reader may not read, and says that the channel publishes more", {
    meta: { proves: ["decision.app.channel-preview"] },
  }, async () => {
    const other = await sessionCallerOf(world, await addPerson(world, "Admins"));
    const { id: hidden } = await other.run(operations.createCollection, { name: newId() });
    await other.run(operations.setDefaultAccess, { id: hidden, defaultAccess: "none" });
    await other.run(operations.createDocument, { collectionId: hidden, title: "Unseen", publish: true });
    const channel = await other.run(operations.createChannel, { name: newId(), collectionIds: [hidden, open] });
    const shown = await preview({ id: channel.id });
    expect(shown.isPartial).toBe(true);
    expect(shown.data.map(({ title }) => title)).not.toContain("Unseen");
    expect(await titlesOf({ id: channel.id }, other)).toContain("Unseen");
    expect(await outcomeOf(preview({ collectionIds: [hidden] }))).toBe("not_found");
  });

  it("is refused where saving is", async () => {
    expect(await outcomeOf(preview({}))).toBe("validation_error");
    expect(await outcomeOf(preview({ id: newId() }))).toBe("not_found");
    expect(await outcomeOf(preview({ tagIds: [newId()] }))).toBe("not_found");
  });
});
