import { endSession } from "@kb/auth";
import { callerOf, insertedText } from "@kb/core/testing";
import { api } from "@kb/http/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inApp } from "./in-app.ts";
import { type LiveData, livePeople } from "./live-people.ts";
import { readEvents } from "./read-events.ts";
import { appOf, openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
const { createDocument, openAs, follow, closers } = livePeople(() => setting);
afterAll(() => setting.close());

describe("the stream of a document that is edited live", () => {
  it("has each batch once and in order, also from another instance, and continues after Last-Event-ID", async () => {
    const { editor, admin } = setting.world.people;
    const id = await createDocument();
    const typist = await openAs(editor, id);
    const here = await follow(admin, id, typist);
    const elsewhere = await follow(admin, id, typist, { app: appOf(setting.world.service) });
    for (const text of ["a", "b", "c"]) await typist.type(text);
    await expect.poll(here.versions, { timeout: 10_000 }).toEqual([1, 2, 3]);
    await expect.poll(elsewhere.versions, { timeout: 10_000 }).toEqual([1, 2, 3]);
    expect(here.stream.messages.find(({ event }) => event === "batch")?.data).toMatchObject({
      author: editor.actor.userId,
      steps: [insertedText(1, "a")],
    });
    await here.stream.close();
    await typist.type("d");
    const again = await follow(admin, id, typist, { "Last-Event-ID": "2" });
    await expect.poll(again.versions, { timeout: 10_000 }).toEqual([3, 4]);
  });

  it("tells what a change over REST has made of the document, and when all is saved", async () => {
    const { editor, viewer } = setting.world.people;
    const id = await createDocument();
    const typist = await openAs(editor, id);
    const reader = await follow(viewer, id, typist);
    await typist.type("zero ");
    await callerOf(setting.world, editor).edit(id, { op: "append", markdown: "two" });
    await expect.poll(reader.versions, { timeout: 10_000 }).toEqual([1, 2]);
    const saved = () => reader.stream.messages.filter(({ event }) => event === "saved").at(-1)?.data;
    await expect.poll(saved, { timeout: 10_000 }).toMatchObject({ version: 2, revision: 3 });
    expect(reader.stream.messages[0]).toMatchObject({ event: "access", data: { canWrite: false } });
  });

  it("tells a person who may not write any more, and ends when they may not read", {
    meta: { proves: ["live.failure.write-revoked", "live.failure.read-revoked"] },
  }, async () => {
    const { world } = setting;
    const admin = await inApp(setting, world.people.admin);
    const { id: collectionId } = await callerOf(world, world.people.admin).createCollection({ name: "Shared" });
    const allow = (defaultAccess: string) => admin("collections.setDefaultAccess", { id: collectionId, defaultAccess });
    await allow("write");
    const { id } = await callerOf(world, world.people.admin).create({ collectionId, text: "one", publish: true });
    const typist = await openAs(world.people.editor, id);
    const own = await follow(world.people.editor, id, typist);
    const access = () => own.stream.messages.filter(({ event }) => event === "access").map(({ data }) => data.canWrite);
    await expect.poll(access, { timeout: 10_000 }).toEqual([true]);
    await allow("read");
    await expect.poll(access, { timeout: 10_000 }).toEqual([true, false]);
    expect((await typist.type("late")).status).toBe(403);
    await allow("none");
    await expect.poll(() => own.events().at(-1), { timeout: 10_000 }).toBe("gone");
    await expect.poll(() => own.stream.isOpen).toBe(false);
    expect((await typist.type("later")).status).toBe(404);
  });

  it("has everything by its poll on an instance that hears no notification: batches, what is saved, and rights", {
    timeout: 60_000,
  }, async () => {
    const { world } = setting;
    const asked: string[] = [];
    const listen = (channel: string): (() => void) => {
      asked.push(channel);
      return () => undefined;
    };
    const deaf = appOf({ ...world.service, database: { ...world.service.database, listen } });
    const admin = await inApp(setting, world.people.admin);
    const { id: collectionId } = await callerOf(world, world.people.admin).createCollection({ name: "Unheard" });
    const allow = (defaultAccess: string) => admin("collections.setDefaultAccess", { id: collectionId, defaultAccess });
    await allow("write");
    const { id } = await callerOf(world, world.people.admin).create({ collectionId, text: "one", publish: true });
    const typist = await openAs(world.people.editor, id);
    const reader = await follow(world.people.editor, id, typist, { app: deaf });
    for (const text of ["a", "b", "c"]) await typist.type(text);
    await expect.poll(reader.versions, { timeout: 10_000 }).toEqual([1, 2, 3]);
    await callerOf(world, world.people.admin).edit(id, { op: "append", markdown: "two" });
    await expect.poll(reader.versions, { timeout: 10_000 }).toEqual([1, 2, 3, 4]);
    const last = (name: string) => reader.stream.messages.filter(({ event }) => event === name).at(-1)?.data;
    await expect.poll(() => last("saved"), { timeout: 10_000 }).toMatchObject({ version: 4 });
    await allow("read");
    await expect.poll(() => last("access"), { timeout: 10_000 }).toEqual({ canWrite: false });
    await allow("none");
    await expect.poll(() => reader.events().at(-1), { timeout: 10_000 }).toBe("gone");
    expect(asked).toContain("kb_live");
  });

  it("takes batches of a page until its log-in ends, and none of another site", async () => {
    const { world } = setting;
    const { editor } = world.people;
    const id = await createDocument();
    const { lineage, schema, since: base } = await openAs(editor, id);
    const session = await world.session(editor);
    const page = api(setting.app, session);
    const clientId = crypto.randomUUID();
    const batch = (seq: number) => {
      const steps = [insertedText(1, "a")];
      return { documentId: id, lineage, schema, clientId, seq, base, steps };
    };
    const push = (seq: number, headers: Record<string, string> = {}) =>
      page.post("/api/live.push", batch(seq), headers);
    expect(await push(1)).toMatchObject({ status: 200, body: { data: { version: base + 1 } } });
    expect((await push(2)).status).toBe(200);
    expect(await push(3, { Origin: "https://example.com" })).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    expect(await push(3, { "X-CSRF-Token": "of another page" })).toMatchObject({ status: 403 });
    await endSession(world.service.database, editor.actor.teamId, session.id);
    expect(await push(3)).toMatchObject({ status: 401, body: { code: "authentication_required" } });
    expect(await push(3)).toMatchObject({ status: 401, body: { error: "The log-in has ended. Log in again." } });
    const pulled = await (await inApp(setting, editor))<{ data: { batches: unknown[] } }>("live.batches", {
      documentId: id,
      lineage,
      since: base,
    });
    expect(pulled.body.data.batches).toHaveLength(2);
  });

  it("answers 409 to a page whose schema is older, and 503 to one whose schema is newer, and its log stays as it is", async () => {
    const { editor } = setting.world.people;
    const id = await createDocument();
    const typist = await openAs(editor, id);
    const { lineage, schema, since: base } = typist;
    const next = appOf({ ...setting.world.service, schemaVersion: schema + 1 });
    const atNext = api(next, await setting.world.session(editor));
    const atThis = await inApp(setting, editor);
    const clientId = crypto.randomUUID();
    const batch = { documentId: id, lineage, schema, clientId, seq: 1, base, steps: [insertedText(1, "a")] };
    const older = await atNext.post("/api/live.push", batch);
    expect(older).toMatchObject({
      status: 409,
      body: { code: "schema_ahead", error: expect.stringMatching(/reload/i) },
    });
    const newer = await atThis("live.push", { ...batch, schema: schema + 1 });
    expect(newer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    const pulled = await atThis<{ data: { batches: unknown[] } }>("live.batches", {
      documentId: id,
      lineage,
      since: 0,
    });
    expect(pulled.body.data.batches).toEqual([]);
    expect((await atNext.post("/api/live.open", { documentId: id })).body).toMatchObject({
      data: { schema: schema + 1 },
    });
  });

  it("asks a client of another log to open the document again, and does not exist for whom the document is hidden", async () => {
    const { editor, admin, viewer } = setting.world.people;
    const id = await createDocument();
    const typist = await openAs(editor, id);
    const lost = await follow(admin, id, { lineage: crypto.randomUUID(), since: 0 });
    await expect.poll(() => lost.events().at(-1), { timeout: 10_000 }).toBe("reset");
    const ahead = await follow(admin, id, { lineage: typist.lineage, since: 99 });
    await expect.poll(() => ahead.events().at(-1), { timeout: 10_000 }).toBe("reset");
    const { id: hidden } = await callerOf(setting.world, admin).create({
      collectionId: setting.world.collections.vault,
    });
    expect((await follow(viewer, hidden, typist)).stream.status).toBe(404);
  });

  it("ends with the log-in of its person", async () => {
    const { editor } = setting.world.people;
    const id = await createDocument();
    const typist = await openAs(editor, id);
    const session = await setting.world.session(editor);
    const query = new URLSearchParams({ documentId: id, lineage: typist.lineage, since: "0" });
    const url = `http://localhost:3000/api/live.stream?${query}`;
    const stream = readEvents<LiveData>(
      await setting.app.fetch(new Request(url, { headers: { Cookie: session.cookie } })),
    );
    closers.push(stream.close);
    const call = await inApp(setting, editor);
    await call("auth.sessions.revoke", { id: session.id });
    await expect.poll(() => stream.isOpen, { timeout: 10_000 }).toBe(false);
  });
});
