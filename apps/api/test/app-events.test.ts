import type { Actor } from "@kb/auth";
import { admin, invoke, operations } from "@kb/core";
import { callerOf, type Person } from "@kb/core/testing";
import { serve } from "@kb/http";
import { createLifecycle } from "@kb/runtime";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ReadEvents, readEvents } from "./read-events.ts";
import { appOf, openSetting, type Setting } from "./setting.ts";

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => setting.close());

type Change = { readonly type?: string; readonly data?: { readonly id: string } };

/** `changes` are the types and the ids of the changes. */
type Stream = ReadEvents<Change> & { readonly changes: readonly string[] };

async function open(who: Person, headers: Record<string, string> = {}): Promise<Stream> {
  const { cookie } = await setting.world.session(who);
  return openWith(cookie, headers);
}

async function openWith(cookie: string, headers: Record<string, string> = {}): Promise<Stream> {
  const request = new Request("http://localhost:3000/api/app.events", { headers: { Cookie: cookie, ...headers } });
  const response = await setting.app.fetch(request);
  const stream = readEvents<Change>(response);
  closers.push(stream.close);
  return {
    status: stream.status,
    messages: stream.messages,
    get changes() {
      return stream.messages.flatMap(({ event, data }) =>
        event === "change" ? [`${data.type} ${data.data?.id}`] : [],
      );
    },
    get isOpen() {
      return stream.isOpen;
    },
    close: stream.close,
  };
}

const create = (collectionId: string) =>
  invoke(setting.world.service, operations.createDocument, setting.world.people.admin.actor, {
    collectionId,
    title: "News",
    publish: true,
  });

const rename = (id: string, title: string, actor: Actor = setting.world.people.admin.actor) =>
  invoke(setting.world.service, operations.updateDocument, actor, { id, title });

describe("the app's stream of changes", () => {
  it("contains each change that its user may see, once and in order, and nothing about hidden documents", async () => {
    const { people, collections } = setting.world;
    const viewer = await open(people.viewer);
    const boss = await open(people.admin);
    expect([viewer.status, viewer.messages[0]?.event ?? "ready"]).toEqual([200, "ready"]);
    const hidden = await create(collections.vault);
    const shown = await create(collections.open);
    await expect.poll(() => viewer.changes).toEqual([`document.created ${shown.id}`, `document.published ${shown.id}`]);
    await expect.poll(() => boss.changes).toHaveLength(4);
    expect(boss.changes[0]).toBe(`document.created ${hidden.id}`);
    const ids = boss.messages.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it("contains only the id of a document that its user can no longer see", async () => {
    const { people, collections, service } = setting.world;
    const { id } = await create(collections.open);
    const stream = await open(people.viewer);
    const move = { id, collectionId: collections.vault, title: "Secret" };
    await invoke(service, operations.updateDocument, people.admin.actor, move);
    await expect.poll(() => stream.changes).toEqual([`document.moved ${id}`]);
    expect(stream.messages.at(-1)?.data.data).toEqual({ id });
  });

  it("continues after Last-Event-ID without a gap or a repeat, and reports when it cannot", async () => {
    const { people, collections } = setting.world;
    const { id } = await create(collections.open);
    const first = await open(people.editor);
    await rename(id, "One");
    await expect.poll(() => first.changes).toHaveLength(1);
    const lastEventId = first.messages.at(-1)?.id ?? "";
    await first.close();
    await rename(id, "Two");
    await create(collections.vault);
    await rename(id, "Three");
    const second = await open(people.editor, { "Last-Event-ID": lastEventId });
    await expect.poll(() => second.changes).toEqual([`document.updated ${id}`, `document.updated ${id}`]);
    expect(second.messages[0]?.event).toBe("ready");
    const unknown = await open(people.editor, { "Last-Event-ID": "999999999" });
    await expect.poll(() => unknown.messages[0]?.event).toBe("reset");
    expect((await open(people.editor, { "Last-Event-ID": "abc" })).status).toBe(400);
  });

  it("ends within a second after the session ended, the user was suspended or the password changed", async () => {
    const { people, session, service, collections } = setting.world;
    const ended = await session(people.editor);
    const streams = {
      revoked: await openWith(ended.cookie),
      suspended: await open(people.member),
      changed: await open(people.viewer),
      stays: await open(people.admin),
    };
    const elapsedMs = startStopwatch();
    const bySession = {
      ...people.editor.actor,
      credential: { kind: "session", id: ended.id, name: "Browser" } as const,
    };
    const actor = { ...bySession, scopes: new Set(["read", "write", "admin"] as const) };
    await invoke(service, operations.revokeSession, actor, { id: ended.id });
    await admin.suspendUser(service, people.member.email);
    await admin.setPassword(service, people.viewer.email, "another long password");
    const { stays, ...ending } = streams;
    const areOpen = (): boolean[] => Object.values(ending).map(({ isOpen }) => isOpen);
    await expect.poll(areOpen, { timeout: 30_000, interval: 10 }).toEqual([false, false, false]);
    expect(elapsedMs()).toBeLessThan(5_000);
    for (const { messages } of Object.values(ending)) expect(messages.at(-1)?.event).toBe("ended");
    expect(stays.isOpen).toBe(true);
    await create(collections.open);
    await expect.poll(() => stays.changes).toHaveLength(2);
    expect((await openWith(ended.cookie)).status).toBe(401);
  });

  it("resets the stream of a user who lost access to a collection or a right, and of nobody else", {
    meta: { proves: ["web.events.access"] },
  }, async () => {
    const { people, collections, grant } = setting.world;
    await grant(collections.vault, people.viewer.id, "read");
    const viewer = await open(people.viewer);
    const editor = await open(people.editor);
    await expect.poll(() => viewer.messages.length).toBe(1);
    const resets = (stream: Stream) => stream.messages.filter(({ event }) => event === "reset").length;
    const boss = callerOf(setting.world, await setting.world.session(people.admin));
    await boss.run(operations.removeGrant, { id: collections.vault, userId: people.viewer.id });
    await expect.poll(() => resets(viewer), { timeout: 10_000 }).toBe(1);
    expect(viewer.changes).toEqual([]);
    const { data: groups } = await boss.run(operations.listGroups, {});
    const groupIds = groups.filter(({ name }) => name === "Editors").map(({ id }) => id);
    await boss.run(operations.setUserGroups, { id: people.viewer.id, groupIds });
    await expect.poll(() => resets(viewer), { timeout: 10_000 }).toBe(2);
    expect(resets(editor)).toBe(0);
  });

  it("begins with the scope that app.boot returns as long as access is the same", {
    meta: { proves: ["web.events.access"] },
  }, async () => {
    const { people, collections, session } = setting.world;
    const credential = await session(people.editor);
    const boot = async () => (await callerOf(setting.world, credential).run(operations.bootApp)).scope;
    const scope = await boot();
    const scopeOf = async (): Promise<unknown> => {
      const stream = await openWith(credential.cookie);
      await expect.poll(() => stream.messages.length).toBeGreaterThan(0);
      return stream.messages[0]?.data;
    };
    expect(await scopeOf()).toEqual({ scope });
    const admin = callerOf(setting.world, await session(people.admin));
    await admin.run(operations.setDefaultAccess, { id: collections.vault, defaultAccess: "read" });
    const shared = await boot();
    expect(shared).not.toBe(scope);
    expect(await scopeOf()).toEqual({ scope: shared });
  });

  it("ends the oldest stream of a user who opens too many, with the reason", async () => {
    const { cookie } = await setting.world.session(setting.world.people.editor);
    const first = await openWith(cookie);
    for (let count = 0; count < 20; count += 1) await openWith(cookie);
    await expect.poll(() => first.isOpen).toBe(false);
    expect(first.messages.at(-1)?.event).toBe("replaced");
  });

  it("does not delay the shutdown of the process", async () => {
    const { world } = setting;
    const lifecycle = createLifecycle();
    const app = appOf(world.service, { lifecycle });
    const running = await serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0, lifecycle, drainMs: 10_000 });
    const { cookie } = await world.session(world.people.admin);
    const response = await fetch(`http://127.0.0.1:${running.port}/api/app.events`, { headers: { Cookie: cookie } });
    const elapsedMs = startStopwatch();
    await Promise.all([running.close(), response.text()]);
    expect(elapsedMs()).toBeLessThan(5_000);
  });

  it("answers HEAD without a stream", async () => {
    const { cookie } = await setting.world.session(setting.world.people.admin);
    const request = new Request("http://localhost:3000/api/app.events", {
      method: "HEAD",
      headers: { Cookie: cookie },
    });
    const response = await setting.app.fetch(request);
    expect([response.status, response.headers.get("content-type"), response.body]).toEqual([
      200,
      "text/event-stream",
      null,
    ]);
  });
});
