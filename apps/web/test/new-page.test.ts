import { operations } from "@kb/core";
import { callerOf, sessionCallerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newParameters } from "../src/client/screens/new-place.ts";
import { mainOfPage } from "./main-of-page.ts";
import { openSetting, type Setting } from "./setting.ts";

const absent = "018f0000-0000-7000-8000-000000000000";

describe("the page of a new document, as the server renders it", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  const editor = () => callerOf(setting.world, setting.world.people.editor);
  const main = (search: string, person = setting.world.people.editor): Promise<string> =>
    mainOfPage(setting, `/new${search}`, person);
  const shown = async (): Promise<readonly string[]> =>
    (await editor().run(operations.listDocuments, { limit: 100 })).data.map(({ id }) => id);

  it("names the collection or the document in the address with all above it, and changes nothing", {
    meta: { proves: ["web.new"] },
  }, async () => {
    const { open } = setting.world.collections;
    const parent = await editor().create({ title: "Runbooks", collectionId: open, emoji: "🚒" });
    const child = await editor().create({ title: "", collectionId: open, parentDocumentId: parent.id });
    const before = await shown();
    expect(await main(`?collection=${open}`)).toMatch(/<span class="row-title" dir="auto">.*Open/);
    expect(await main(`?parent=${parent.id.toUpperCase()}`)).toContain("</span>Runbooks</span>");
    const below = await main(`?collection=${absent}&parent=${child.id}`);
    expect(below).toContain(">Untitled</span>");
    expect(below).toContain("<bdi>Open / Runbooks</bdi>");
    expect(below).toContain("switch on JavaScript");
    expect(below).not.toContain("<form");
    expect(await shown()).toEqual(before);
    const session = await sessionCallerOf(setting.world, setting.world.people.editor);
    const { viewed = [] } = await session.run(operations.listRecent, { lists: ["viewed"] });
    expect(viewed.map(({ id }) => id)).not.toContain(child.id);
  });

  it("the name of a collection's icon is not shown beside that of the collection", {
    meta: { proves: ["web.new"] },
  }, async () => {
    const admin = await sessionCallerOf(setting.world, setting.world.people.admin);
    const { id } = await admin.run(operations.createCollection, { name: "Library", icon: "book" });
    for (const path of [`/new?collection=${id}`, `/collections/${id}`]) {
      expect(await mainOfPage(setting, path, setting.world.people.admin), path).not.toContain("book");
    }
  });

  it("without a place it asks for one, and those who write in one collection have that", {
    meta: { proves: ["web.new"] },
  }, async () => {
    expect(await main("")).toContain("No place chosen yet");
    const { world } = setting;
    expect(await main("", world.people.outsider)).toContain('<span class="row-title"');
  });

  it("a hidden place is like one that does not exist, and so is what is no id", {
    meta: { proves: ["web.new", "web.page.hidden"] },
  }, async () => {
    const { collections, people } = setting.world;
    const hidden = await callerOf(setting.world, people.admin).create({
      title: "Salaries",
      collectionId: collections.vault,
    });
    const missing = await main(`?collection=${absent}`);
    expect(missing).toContain("was not found, or you don’t have access");
    const others = [
      `collection=${collections.vault}`,
      `parent=${hidden.id}`,
      `parent=${absent}`,
      "parent=%00%ff",
      `collection=${"x".repeat(7_000)}`,
      `collection=${collections.open}x`,
      `collection=${absent}&collection=${collections.open}`,
      "parent=%3Cscript%3E&parent=1",
      `collection=${collections.open}&parent=${absent}`,
    ];
    for (const other of others) expect(await main(`?${other}`), other).toBe(missing);
  });

  it("what is archived, in the trash or only to be read says so, and offers other places", {
    meta: { proves: ["web.new"] },
  }, async () => {
    const { world } = setting;
    const { id: archived } = await editor().create({ title: "Old", publish: true });
    await editor().archive(archived);
    const { id: trashed } = await editor().create({ title: "Gone" });
    await editor().run(operations.deleteDocument, { id: trashed });
    const admin = await sessionCallerOf(world, world.people.admin);
    const closed = await admin.run(operations.createCollection, { name: "Closed" });
    const inClosed = await admin.run(operations.createDocument, {
      title: "Within",
      collectionId: closed.id,
      publish: true,
    });
    await admin.run(operations.archiveCollection, { id: closed.id });
    const readable = await callerOf(world, world.people.admin).create({
      title: "Rules",
      collectionId: world.collections.readable,
      publish: true,
    });
    expect(await main(`?parent=${archived}`)).toContain("\u2068Old\u2069 is archived");
    expect(await main(`?parent=${trashed}`)).toContain("\u2068Gone\u2069 is in the trash");
    expect(await main(`?collection=${closed.id}`, world.people.admin)).toContain("\u2068Closed\u2069 is archived");
    expect(await main(`?parent=${readable.id}`, world.people.member)).toContain("You can’t create documents in");
    expect(await main(`?collection=${world.collections.readable}`, world.people.member)).toContain(
      "You can’t create documents in",
    );
    // A document of a collection that is archived is open for reading only.
    const within = await main(`?parent=${inClosed.id}`, world.people.admin);
    expect(within).toContain("\u2068Within\u2069");
    expect(within).toContain(">Choose a place</span>");
  });

  it("those who may write nowhere read who has write access, and nothing of the place", {
    meta: { proves: ["web.new"] },
  }, async () => {
    const { people, collections } = setting.world;
    for (const search of ["", `?collection=${collections.open}`, `?collection=${collections.vault}`]) {
      const text = await main(search, people.viewer);
      expect(text).toContain("There is no collection in which you may write.");
      expect(text).toContain(people.admin.name);
      expect(text).not.toContain("input");
    }
  });

  it("somebody who is not logged in comes back to the same address afterwards", {
    meta: { proves: ["web.new"] },
  }, async () => {
    const answer = await setting.get(`/new?collection=${absent}&parent=a%26b`, null);
    expect(answer.status).toBe(303);
    const back = new URL(answer.headers.get("Location") ?? "", "http://localhost");
    expect(back.pathname).toBe("/login");
    expect(back.searchParams.get("return_to")).toBe(`/new?collection=${absent}&parent=a%26b`);
  });
});

it("reads the first of several places in an address, and no more of a text than tells that it is no id", () => {
  expect(newParameters({})).toEqual({});
  expect(newParameters({ collection: "", parent: [] })).toEqual({});
  expect(newParameters({ collection: [absent, "other"], parent: 12 })).toEqual({ collection: absent, parent: "12" });
  expect(newParameters({ parent: { toString: 1 } })).toEqual({ parent: "an object" });
  expect(newParameters({ parent: `${absent}${"0".repeat(9_000)}` }).parent).toHaveLength(37);
  expect(newParameters({ parent: `${"0".repeat(36)}😀` }).parent).toBe(`${"0".repeat(36)}\ufffd`);
});
