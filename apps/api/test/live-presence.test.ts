import { callerOf, type Person } from "@kb/core/testing";
import { sql } from "@kb/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inApp } from "./in-app.ts";
import { livePeople } from "./live-people.ts";
import { appOf, openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
const { createDocument, openAs, follow } = livePeople(() => setting);
afterAll(() => setting.close());

const timeout = 15_000;
type Following = Awaited<ReturnType<typeof follow>>;

/** Returns a tab of a person, which tells where its caret is. */
async function tabOf(person: Person, documentId: string) {
  const call = await inApp(setting, person);
  const tabId = crypto.randomUUID();
  const tell = (fields: object = {}) =>
    call<{ data: { shown: boolean } }>("live.presence", { documentId, tabId, ...fields });
  return { tabId, tell };
}

/** The last that a stream has told of each tab, without those that left. */
function peopleOf({ stream }: Following) {
  const people = new Map<string, { name?: string | undefined; anchor?: number | undefined }>();
  for (const { event, data } of stream.messages) {
    if (event !== "presence" || data.tabId === undefined) continue;
    if (data.leave) people.delete(data.tabId);
    else people.set(data.tabId, { name: data.name, anchor: data.anchor });
  }
  return people;
}

const caret = (at: number) => ({ version: 0, anchor: at, head: at });

describe("presence in a document", () => {
  it("shows who comes, where their caret is and who leaves, on every instance", { timeout: 90_000 }, async () => {
    const { editor, admin } = setting.world.people;
    const id = await createDocument();
    const opened = await openAs(editor, id);
    const here = await follow(admin, id, opened);
    const elsewhere = await follow(admin, id, opened, { app: appOf(setting.world.service) });
    const tab = await tabOf(editor, id);
    expect((await tab.tell(caret(1))).body.data).toEqual({ shown: true });
    const name = editor.actor.userName;
    for (const stream of [here, elsewhere]) {
      await expect.poll(() => peopleOf(stream).get(tab.tabId), { timeout }).toEqual({ name, anchor: 1 });
    }
    await tab.tell(caret(2));
    for (const stream of [here, elsewhere]) {
      await expect.poll(() => peopleOf(stream).get(tab.tabId)?.anchor, { timeout }).toBe(2);
    }
    const late = await follow(admin, id, opened, { app: appOf(setting.world.service) });
    await expect.poll(() => peopleOf(late).get(tab.tabId)?.anchor, { timeout }).toBe(2);
    await tab.tell({ leave: true });
    for (const stream of [here, elsewhere, late]) {
      await expect.poll(() => peopleOf(stream).size, { timeout }).toBe(0);
    }
  });

  it("shows a person who may only read without a caret", { timeout: 60_000 }, async () => {
    const { editor, viewer } = setting.world.people;
    const id = await createDocument();
    const stream = await follow(editor, id, await openAs(editor, id));
    const tab = await tabOf(viewer, id);
    await tab.tell(caret(1));
    const expected = { name: viewer.actor.userName, anchor: undefined };
    await expect.poll(() => peopleOf(stream).get(tab.tabId), { timeout }).toEqual(expected);
  });

  it("ends with the right to read: by a grant, and by a suspension", { timeout: 90_000 }, async () => {
    const { world } = setting;
    const { admin, editor } = world.people;
    const call = await inApp(setting, admin);
    const { id: collectionId } = await callerOf(world, admin).createCollection({ name: "Shared" });
    const allow = (defaultAccess: string) => call("collections.setDefaultAccess", { id: collectionId, defaultAccess });
    await allow("write");
    const { id } = await callerOf(world, admin).create({ collectionId, text: "one", publish: true });
    const opened = await openAs(admin, id);
    const streams = [await follow(admin, id, opened), await follow(admin, id, opened, { app: appOf(world.service) })];
    const tab = await tabOf(editor, id);
    const isShown = async (expected: boolean) => {
      for (const stream of streams) {
        await expect.poll(() => peopleOf(stream).has(tab.tabId), { timeout }).toBe(expected);
      }
    };
    await tab.tell(caret(1));
    await isShown(true);
    await allow("none");
    await isShown(false);
    expect((await tab.tell(caret(2))).status).toBe(404);
    await allow("write");
    await tab.tell(caret(3));
    await isShown(true);
    const suspend = (at: Date | null) =>
      world.service.database.execute(sql`UPDATE users SET "suspendedAt" = ${at}::timestamptz WHERE "teamId" = ${world.teamId}::uuid
        AND id = ${editor.actor.userId}::uuid`);
    await suspend(new Date());
    await isShown(false);
    await suspend(null);
  });

  it("is answered for a hidden document as for an absent one, and never shows there", { timeout: 60_000 }, async () => {
    const { world } = setting;
    const { admin, viewer } = world.people;
    const { id } = await callerOf(world, admin).create({ collectionId: world.collections.vault, text: "one" });
    const stream = await follow(admin, id, await openAs(admin, id));
    const hidden = await (await tabOf(viewer, id)).tell(caret(1));
    const absent = await (await tabOf(viewer, crypto.randomUUID())).tell(caret(1));
    expect([hidden.status, absent.status]).toEqual([404, 404]);
    const own = await tabOf(admin, id);
    await own.tell();
    await expect.poll(() => [...peopleOf(stream).keys()], { timeout }).toEqual([own.tabId]);
  });

  it("refuses the tab of somebody else, half a caret, and shows at most 20 tabs of a person", {
    timeout: 60_000,
  }, async () => {
    const { editor, admin } = setting.world.people;
    const id = await createDocument();
    const tab = await tabOf(editor, id);
    expect((await tab.tell({ anchor: 1 })).status).toBe(400);
    await tab.tell(caret(1));
    const other = await tabOf(admin, id);
    expect((await other.tell({ tabId: tab.tabId })).status).toBe(409);
    const shown: boolean[] = [];
    for (let count = 2; count <= 21; count += 1) shown.push((await (await tabOf(editor, id)).tell()).body.data.shown);
    expect(shown).toEqual([...Array.from({ length: 19 }, () => true), false]);
    expect((await other.tell()).body.data.shown).toBe(true);
  });
});
