import { addPerson, callerOf, channelReaderOf, outcomeOf, sessionCallerOf, unknownId } from "@kb/core/testing";
import { newId } from "@kb/db";
import { describe, expect, it } from "vitest";
import * as operations from "../operations.ts";
import { testWorld } from "../testing/test-world.ts";

const { test, world } = await testWorld();
const author = callerOf(world, world.people.admin);
const admin = await sessionCallerOf(world, world.people.admin);
const open = world.collections.open;
const vault = world.collections.vault;

const create = (input: object = {}, by = admin) =>
  by.run(operations.createChannel, { name: "Help", collectionIds: [open], ...input });
const update = (id: string, change: object, by = admin) => by.run(operations.updateChannel, { id, ...change });
const createToken = (channelId: string, input: object = {}, by = admin) =>
  by.run(operations.createChannelToken, { channelId, name: "Site", ...input });
/** Creates a token of a channel, and returns the channel as its holder reads it. */
const readerOf = async (channelId: string, by = admin) =>
  channelReaderOf(world, channelId, (await createToken(channelId, {}, by)).token);
const createTag = async () => (await author.createTag({ name: newId() })).tag;
const publish = (title: string, collectionId: string, tags: string[] = []) =>
  author.create({ collectionId, title, tags, publish: true });
const otherAdmin = async () => sessionCallerOf(world, await addPerson(world, "Admins"));

describe("the tokens of a channel", () => {
  it("read the channel at once, and only the answer that creates a token contains it", {
    meta: { proves: ["published.token-created-in-app", "decision.app.secret-once"] },
  }, async () => {
    const channel = await create({ format: { markdown: true } });
    expect(channel).toMatchObject({
      name: "Help",
      byCollection: true,
      byTag: false,
      format: { markdown: true, html: false },
    });
    const made = await createToken(channel.id);
    expect(made.token).toMatch(/^kbc_/);
    expect(await channelReaderOf(world, channel.id, made.token).titles()).toContain("Guide");
    const tokens = await admin.run(operations.listChannelTokens, { channelId: channel.id });
    expect(tokens).toMatchObject({ total: 1, data: [{ id: made.id, name: "Site", prefix: made.prefix }] });
    expect(JSON.stringify(tokens)).not.toContain(made.token);
  });

  it("are refused with the next call after they are revoked or their channel is deleted", {
    meta: { proves: ["decision.app.at-once", "published.unauthorized"] },
  }, async () => {
    const { id } = await create();
    const first = await createToken(id);
    const second = await createToken(id);
    const outcomes = async () => [
      await outcomeOf(channelReaderOf(world, id, first.token).list()),
      await outcomeOf(channelReaderOf(world, id, second.token).list()),
    ];
    expect(await outcomes()).toEqual(["done", "done"]);
    const revoked = await admin.run(operations.revokeChannelToken, { id: first.id });
    expect(await outcomes()).toEqual(["invalid_token", "done"]);
    expect(await admin.run(operations.revokeChannelToken, { id: first.id })).toEqual(revoked);
    const list = (input: object = {}) => admin.run(operations.listChannelTokens, { channelId: id, ...input });
    expect((await list()).total).toBe(1);
    expect((await list({ revoked: true })).total).toBe(2);
    expect(await outcomeOf(admin.run(operations.deleteChannel, { id }))).toBe("done");
    expect(await outcomes()).toEqual(["invalid_token", "invalid_token"]);
    expect(await outcomeOf(list())).toBe("not_found");
    expect(await outcomeOf(admin.run(operations.deleteChannel, { id }))).toBe("not_found");
  });

  it("are refused after they expire, and cannot be created with an expiry in the past", async () => {
    const { id } = await create();
    const past = new Date(Date.now() - 1000);
    await expect(createToken(id, { expiresAt: past.toISOString() })).rejects.toMatchObject({
      code: "validation_error",
      details: [{ path: "expiresAt" }],
    });
    const made = await createToken(id, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    const reader = channelReaderOf(world, id, made.token);
    expect(await reader.titles()).toContain("Guide");
    const where = { teamId_id: { teamId: world.teamId, id: made.id } };
    await test.database.client.channelToken.update({ where, data: { expiresAt: past } });
    expect(await outcomeOf(reader.list())).toBe("invalid_token");
  });

  it("read no other channel, whether that channel exists or not", {
    meta: { proves: ["published.token-mismatch", "published.token-scope"] },
  }, async () => {
    const { token } = await createToken((await create()).id);
    const outsider = await sessionCallerOf(world, world.people.outsider);
    const foreign = await create({ collectionIds: [world.collections.foreign] }, outsider);
    for (const id of [(await create()).id, foreign.id, unknownId]) {
      const reader = channelReaderOf(world, id, token);
      expect(await outcomeOf(reader.list())).toBe("forbidden");
      expect(await outcomeOf(reader.get(world.documents.guide.id))).toBe("forbidden");
    }
  });
});

describe("the sources of a channel", () => {
  it("are at least one collection that the caller can read or tag that is not restricted", async () => {
    const { foreign } = world.collections;
    const refused: [object, string][] = [
      [{ collectionIds: [] }, "validation_error"],
      [{ collectionIds: [], tagIds: [] }, "validation_error"],
      [{ collectionIds: undefined }, "validation_error"],
      [{ collectionIds: [unknownId] }, "not_found"],
      [{ collectionIds: [foreign] }, "not_found"],
      [{ collectionIds: [], tagIds: [unknownId] }, "not_found"],
      [{ collectionIds: [], tagIds: [world.tags.hidden] }, "not_found"],
      [{ secret: true }, "validation_error"],
      [{ format: { pdf: true } }, "validation_error"],
    ];
    for (const [input, code] of refused) {
      expect(await outcomeOf(create(input)), JSON.stringify(input)).toBe(code);
    }
  });

  it("of only tags show only what the whole team can read", {
    meta: { proves: ["decision.app.channel-sources"] },
  }, async () => {
    const label = await createTag();
    await publish("Labelled in the open", open, [label.name]);
    const secret = await publish("Labelled in the vault", vault, [label.name]);
    const other = await otherAdmin();
    const byTag = await create({ collectionIds: [], tagIds: [label.id] }, other);
    const reader = await readerOf(byTag.id, other);
    expect(await reader.titles()).toEqual(["Labelled in the open"]);
    expect(await outcomeOf(reader.get(secret.id))).toBe("not_found");
    const both = await create({ collectionIds: [vault], tagIds: [label.id] });
    expect(await (await readerOf(both.id)).titles()).toEqual(["Labelled in the vault"]);
  });

  it("cannot be widened, nor given a token, by a caller who cannot read all that the channel shows", {
    meta: { proves: ["decision.app.channel-sources"] },
  }, async () => {
    const { id } = await create({ collectionIds: [vault], tagIds: [(await createTag()).id] });
    const other = await otherAdmin();
    expect(await outcomeOf(update(id, { tagIds: [] }, other))).toBe("forbidden");
    expect(await outcomeOf(update(id, { tagIds: [(await createTag()).id] }, other))).toBe("forbidden");
    expect(await outcomeOf(createToken(id, {}, other))).toBe("forbidden");
    expect(await outcomeOf(update(id, { name: "Ours", format: { html: true } }, other))).toBe("done");
  });

  it("decide what the channel shows: after a change, and after a tag or a collection is deleted", {
    meta: { proves: ["decision.app.channel-sources"] },
  }, async () => {
    const collectionId = (await author.createCollection({ name: "News" })).id;
    const label = await createTag();
    await publish("Labelled", collectionId, [label.name]);
    await publish("Plain", collectionId);
    const { id } = await create({ collectionIds: [collectionId] });
    const reader = await readerOf(id);
    expect(await reader.titles()).toEqual(["Labelled", "Plain"]);
    const narrowed = await update(id, { tagIds: [label.id], name: "Fewer" });
    expect(narrowed).toMatchObject({ name: "Fewer", byTag: true, tags: [{ name: label.name }] });
    expect(await reader.titles()).toEqual(["Labelled"]);
    await admin.run(operations.deleteTag, { id: label.id });
    expect(await reader.titles()).toEqual([]);
    expect(await update(id, { collectionIds: [collectionId] })).toMatchObject({ byTag: true, tags: [] });
    expect(await reader.titles()).toEqual([]);
    await update(id, { tagIds: [] });
    expect(await reader.titles()).toEqual(["Labelled", "Plain"]);
    await admin.run(operations.deleteCollection, { id: collectionId });
    expect(await reader.titles()).toEqual([]);
    const { data } = await admin.run(operations.listChannels, { limit: 100 });
    expect(data.find((row) => row.id === id)).toMatchObject({ byCollection: true, collections: [] });
    expect(await outcomeOf(update(id, { format: { html: true } }))).toBe("done");
  });

  it("name their collections in the order of the app, where numbers in names count as numbers", async () => {
    const names = ["Shelf 10", "Shelf 2", "Shelf 1"];
    const made = await Promise.all(names.map((name) => author.run(operations.createCollection, { name })));
    const channel = await create({ collectionIds: made.map(({ id }) => id) });
    expect(channel.collections).toEqual([2, 1, 0].map((place) => ({ id: made[place]?.id, name: names[place] })));
  });

  it("include a collection that the caller cannot see: it is not shown to them, and no change of theirs removes it", async () => {
    const { readable } = world.collections;
    const { id } = await create({ collectionIds: [open, vault] });
    const reader = await readerOf(id);
    const other = await otherAdmin();
    expect(JSON.stringify(await other.run(operations.listChannels, { limit: 100 }))).not.toContain(vault);
    const changed = await update(id, { collectionIds: [readable] }, other);
    expect(changed.collections.map((row) => row.id)).toEqual([readable]);
    expect(await reader.titles()).toContain("Secret");
    const replaced = await update(id, { collectionIds: [open] });
    expect(replaced.collections.map((row) => row.id)).toEqual([open]);
    expect(await reader.titles()).not.toContain("Secret");
  });

  it("are not widened when a tag is deleted while a channel is created with it", async () => {
    for (let round = 0; round < 4; round += 1) {
      const label = await createTag();
      const creation = create({ name: "Race", tagIds: [label.id] });
      const deletion = admin.run(operations.deleteTag, { id: label.id });
      const outcomes = await Promise.all([outcomeOf(creation), outcomeOf(deletion)]);
      expect(outcomes[1]).toBe("done");
      expect(outcomes[0]).toBeOneOf(["done", "not_found"]);
      if (outcomes[0] === "done") expect(await (await readerOf((await creation).id)).titles()).toEqual([]);
    }
  });
});

it("a change without effect leaves the channel as it was", async () => {
  const channel = await create();
  const same = { name: "Help", collectionIds: [open], tagIds: [], format: { html: false } };
  expect(await update(channel.id, same)).toEqual(channel);
});

it("a channel of another team is not found, and is not in the list", async () => {
  const outsider = await sessionCallerOf(world, world.people.outsider);
  const error = { code: "not_found", message: "Channel not found" };
  const { id } = await create();
  await expect(update(id, {}, outsider)).rejects.toMatchObject(error);
  await expect(outsider.run(operations.deleteChannel, { id })).rejects.toMatchObject(error);
  const { data } = await outsider.run(operations.listChannels, { limit: 100 });
  expect(data.map((row) => row.id)).not.toContain(id);
});
