import { describe, expect, it } from "vitest";
import type { FakeStore } from "../testing/fake-store.ts";
import { openKeptWorld as openWorld } from "../testing/kept-world.ts";
import { textOf, typeInto as type } from "../testing/session-world.ts";
import { type Transport, TransportFailure } from "./transport.ts";

describe("a session that is kept on the device", () => {
  it("goes on in another tab with text that was not sent, also without the service, and sends it then", async () => {
    const { service, pass, open, crash } = openWorld();
    const tab = await open();
    tab.network.isOffline = true;
    type(tab.session, "Kept ");
    await pass(200);
    tab.network.die();
    const { store, kept } = tab.store.takeOver();
    const isAway: Partial<Transport> = {
      open: () => Promise.reject(new TransportFailure("unreachable", "Offline")),
    };
    const next = await open(store, kept, () => isAway);
    expect(textOf(next.session.state.doc)).toBe("Kept Text.|More.");
    await pass();
    expect(next.session.status).toEqual({ kind: "saved" });
    expect(textOf(service.doc)).toBe("Kept Text.|More.");
    await pass();
    expect(store.read()).toBeNull();
    expect(textOf((await crash(next)).session.state.doc)).toBe("Kept Text.|More.");
  });

  it("has a batch on the device before it is sent, and sends it again as the same one: the text is there once", async () => {
    const { service, pass, open } = openWorld();
    const store: FakeStore[] = [];
    const tab = await open(undefined, null, () => ({
      push: async (batch) => {
        expect(store[0]?.read()?.changes.sent).toEqual(batch);
        service.push(JSON.parse(JSON.stringify(batch)));
        // The tab crashes before the answer.
        return new Promise(() => {});
      },
      stream: () => () => {},
      batches: () => new Promise(() => {}),
    }));
    store.push(tab.store);
    type(tab.session, "Once ");
    await pass(1_000);
    type(tab.session, "Twice ", 6);
    await pass(300);
    const left = tab.store.takeOver();
    const { session } = await open(left.store, left.kept);
    await pass();
    expect(textOf(service.doc)).toBe("Once Twice Text.|More.");
    expect(textOf(session.state.doc)).toBe("Once Twice Text.|More.");
    expect([...service.accepted.values()]).toEqual([1, 1]);
  });

  it("has the last key on the device when its page ends right after it, and goes on as before where the page does not", async () => {
    const { service, pass, open, crash } = openWorld();
    const tab = await open();
    tab.network.isOffline = true;
    type(tab.session, "a");
    await pass(110);
    type(tab.session, "b", 2);
    tab.keeper.writeAtOnce();
    type(tab.session, "c", 3);
    tab.keeper.writeAtOnce();
    const next = await crash(tab);
    expect(textOf(next.session.state.doc)).toBe("abcText.|More.");
    type(next.session, "d", 4);
    next.keeper.writeAtOnce();
    await pass();
    expect(textOf(service.doc)).toBe("abcdText.|More.");
    expect(next.store.read()).toBeNull();
    next.keeper.writeAtOnce();
    expect(next.store.read()).toBeNull();
  });

  it("goes on after each of two pages that ended at once, where the device had no document or an older one", async () => {
    for (const hasOlder of [false, true]) {
      const { service, pass, open, crash } = openWorld();
      const tab = await open();
      const bob = await open();
      await pass(1_000);
      tab.network.isOffline = true;
      if (hasOlder) {
        type(tab.session, "Old ");
        await pass(1_000);
        tab.network.isOffline = false;
        await pass();
        type(bob.session, "Bob ", 12);
        // More than the device keeps beside a document.
        for (let count = 0; count < 210; count++) {
          type(bob.session, "b", 12);
          await pass(200);
        }
        tab.network.isOffline = true;
      }
      type(tab.session, "a");
      tab.keeper.writeAtOnce();
      // This page ends before it has written anything.
      const second = await crash(tab);
      second.network.isOffline = true;
      type(second.session, "b", 2);
      second.keeper.writeAtOnce();
      const third = await crash(second);
      third.network.isOffline = true;
      await pass(1_000);
      third.keeper.writeAtOnce();
      const last = await crash(third);
      await pass();
      expect(last.session.orphans).toEqual([]);
      expect(textOf(service.doc)).toMatch(hasOlder ? /^abOld / : /^abText/);
      expect(last.session.state.doc.eq(service.doc)).toBe(true);
    }
  });

  it("whose page wrote a newer document at once while an older one was on its way to the device, has no batch twice", async () => {
    const { service, pass, open, crash } = openWorld();
    const tab = await open(undefined, null, () => ({ push: () => new Promise(() => {}) }));
    const bob = await open();
    await pass(100);
    const { keep } = tab.store;
    const { promise: hasRoom, resolve: makeRoom } = Promise.withResolvers<void>();
    tab.store.keep = async (...written) => {
      const isKept = await keep(...written);
      await hasRoom;
      return isKept;
    };
    type(tab.session, "a");
    await pass(145);
    type(bob.session, "Bob ", 8);
    await pass(1_000);
    tab.keeper.writeAtOnce();
    makeRoom();
    await pass(1_000);
    tab.network.die();
    // The next version is another batch than the one that the device would count twice.
    type(bob.session, "and ", 12);
    await pass(1_000);
    const next = await crash(tab);
    await pass();
    expect(textOf(next.session.state.doc)).toBe("aText.|Bob and More.");
    expect(textOf(service.doc)).toBe("aText.|Bob and More.");
  });

  it("is rebased onto what others wrote meanwhile; text that has no place then is kept until its author dismisses it", async () => {
    const { service, pass, open, crash } = openWorld();
    const tab = await open();
    const bob = await open();
    tab.network.isOffline = true;
    type(tab.session, "Here ");
    type(tab.session, "there ", 13);
    await pass(300);
    bob.session.dispatch(bob.session.state.tr.delete(0, 7));
    type(bob.session, "Bob's ");
    await pass();
    const next = await crash(tab);
    await pass();
    expect(textOf(service.doc)).toBe("Bob's there More.");
    expect(next.session.orphans).toEqual(["Here "]);
    const last = await crash(next);
    expect(last.session.orphans).toEqual(["Here "]);
    last.session.dismiss("Here ");
    await pass(300);
    expect(last.store.read()).toBeNull();
  });

  it("that was refused or lost its document keeps the text without a place", async () => {
    const { service, pass, open, crash } = openWorld();
    const tab = await open();
    tab.network.isOffline = true;
    type(tab.session, "Late ");
    await pass(300);
    service.canWrite = false;
    const next = await crash(tab);
    await pass();
    expect(next.session.status).toEqual({ kind: "readOnly", why: "access" });
    expect(next.session.orphans).toEqual(["Late "]);
    expect(next.store.read()?.changes.orphans).toEqual(["Late "]);
  });

  it("with content that this page does not know offers the text that was typed", async () => {
    const { service, pass, open } = openWorld();
    const tab = await open();
    tab.network.isOffline = true;
    type(tab.session, "Mine ");
    await pass(300);
    tab.network.die();
    const { store, kept } = tab.store.takeOver();
    if (kept === null) throw new Error("Nothing was kept");
    const unknown = { ...kept, snapshot: { ...kept.snapshot, content: { type: "doc", content: [{ type: "video" }] } } };
    const { session } = await open(store, unknown);
    expect(session.orphans).toEqual(["Mine "]);
    expect(textOf(session.state.doc)).toBe(textOf(service.doc));
  });

  it("writes the document once, and again where another tab has deleted it", async () => {
    const { pass, open, crash } = openWorld();
    const tab = await open();
    const bob = await open();
    for (let turn = 0; turn < 20; turn++) {
      type(tab.session, "a");
      type(bob.session, "b", bob.session.state.doc.content.size - 1);
      await pass(400);
    }
    expect(tab.store.snapshots).toBe(1);
    await pass();
    tab.store.loseSnapshot();
    tab.network.isOffline = true;
    type(tab.session, "New ");
    await pass(300);
    expect(tab.store.snapshots).toBe(2);
    const next = await crash(tab);
    await pass();
    expect(textOf(next.session.state.doc)).toBe(textOf(bob.session.state.doc));
    expect(textOf(next.session.state.doc)).toMatch(/^New a{20}Text/);
  });

  it("sends its text although the device has no room, says so, and keeps it again once there is", async () => {
    const { service, pass, open } = openWorld();
    const tab = await open();
    const failures: boolean[] = [];
    tab.keeper.onFailure(() => failures.push(tab.keeper.failure !== null));
    tab.store.isFull = true;
    type(tab.session, "Sent ");
    await pass();
    expect(textOf(service.doc)).toBe("Sent Text.|More.");
    tab.network.isOffline = true;
    type(tab.session, "More ");
    await pass(300);
    tab.store.isFull = false;
    type(tab.session, "still ");
    await pass(300);
    expect(failures).toEqual([true, false]);
    expect(tab.store.read()?.changes.local.length).toBe(2);
  });

  it("that is forgotten is deleted from the device, and writes nothing there any more", async () => {
    const { pass, open } = openWorld();
    const tab = await open();
    tab.network.isOffline = true;
    type(tab.session, "Secret ");
    await pass(300);
    const forgetting = tab.keeper.forget();
    type(tab.session, "more ");
    await pass(300);
    await forgetting;
    expect(tab.store.read()).toBeNull();
  });
});
