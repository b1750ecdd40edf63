import { undo } from "prosemirror-history";
import { Plugin, TextSelection } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import type { FakeService } from "../testing/fake-service.ts";
import { openSessionWorld as openWorld, textOf, typeInto as type } from "../testing/session-world.ts";
import { type StreamReceiver, type Transport, TransportFailure } from "./transport.ts";

describe("a session", () => {
  it("shows what one writes to the other, and is saved only once the service has it", async () => {
    const { service, pass, connect } = await openWorld();
    const ada = await connect("Ada");
    const bob = await connect("Bob");
    type(ada.session, "New ");
    expect(ada.session.status).toEqual({ kind: "saving" });
    await pass();
    expect(ada.session.status).toEqual({ kind: "saved" });
    expect([textOf(service.doc), textOf(bob.session.state.doc)]).toEqual(["New Text.|More.", "New Text.|More."]);
  });

  it("sends the same bytes again where the answer was lost, and the text is in the document once", async () => {
    const { service, pass, connect } = await openWorld();
    const sent: string[] = [];
    let losses = 2;
    const push: Transport["push"] = async (batch) => {
      sent.push(JSON.stringify(batch));
      const answer = service.push(batch);
      if (losses-- > 0) throw new TransportFailure("unreachable", "The answer was lost");
      return answer;
    };
    const { session } = await connect("Ada", {
      push,
      stream: () => () => {},
      batches: async () => service.batches({ lineage: service.lineage, since: 0 }),
    });
    type(session, "Once ");
    await pass();
    expect(new Set(sent).size).toBe(1);
    expect(textOf(service.doc)).toBe("Once Text.|More.");
    expect(textOf(session.state.doc)).toBe("Once Text.|More.");
    expect(session.status).toEqual({ kind: "saved" });
  });

  it("says how many changes wait while the service cannot be reached, and sends them then in batches of 500", {
    meta: { proves: ["live.failure.offline"] },
  }, async () => {
    const { service, pass, connect } = await openWorld();
    const { session, network } = await connect("Ada");
    network.isOffline = true;
    for (let count = 0; count < 1_200; count++) type(session, "x");
    await pass();
    expect(session.status).toEqual({ kind: "waiting", steps: 1_200 });
    network.isOffline = false;
    await pass();
    expect(session.status).toEqual({ kind: "saved" });
    expect(textOf(service.doc)).toBe(`${"x".repeat(1_200)}Text.|More.`);
    expect(service.accepted.size).toBe(3);
  });

  it("sends while one types without a pause, at most 40 batches in 5 seconds", async () => {
    const { service, pass, connect } = await openWorld();
    const { session } = await connect("Ada");
    for (let count = 0; count < 200; count++) {
      type(session, "x");
      await pass(25);
    }
    expect(service.accepted.size).toBeGreaterThan(20);
    expect(service.accepted.size).toBeLessThanOrEqual(40);
  });

  it("takes no more changes once 2,000 wait, and goes on when the service has them", async () => {
    const { service, pass, connect } = await openWorld();
    const { session, network } = await connect("Ada");
    network.isOffline = true;
    const shown: boolean[] = [];
    session.on("state", () => shown.push(session.canWrite));
    for (let count = 0; count < 2_010; count++) type(session, "x");
    expect(session.status).toEqual({ kind: "readOnly", why: "tooManyChanges" });
    expect(shown.at(-1)).toBe(false);
    network.isOffline = false;
    await pass(60_000);
    expect(shown.at(-1)).toBe(true);
    type(session, "y");
    await pass();
    expect(textOf(service.doc)).toBe(`y${"x".repeat(2_000)}Text.|More.`);
  });

  it("takes no more changes once 5,000,000 characters wait, keeps them all, and goes on when the service has them", async () => {
    const { service, pass, connect } = await openWorld();
    const { session, network } = await connect("Ada");
    network.isOffline = true;
    const texts = Array.from("abcdefgh", (letter) => letter.repeat(800_000));
    for (const text of texts) type(session, text);
    expect(session.status).toEqual({ kind: "readOnly", why: "tooManyChanges" });
    expect(session.canWrite).toBe(false);
    // The one that went over the limit is kept too.
    const kept = texts.slice(0, 7).reverse().join("");
    expect(textOf(session.state.doc)).toBe(`${kept}Text.|More.`);
    network.isOffline = false;
    await pass(60_000);
    expect(session.status).toEqual({ kind: "saved" });
    expect(textOf(service.doc)).toBe(`${kept}Text.|More.`);
    type(session, "y");
    await pass();
    expect(textOf(service.doc)).toBe(`y${kept}Text.|More.`);
  });

  it("that may not write any more keeps what was not accepted as orphans, and follows the others", {
    meta: { proves: ["live.failure.write-revoked"] },
  }, async () => {
    const { service, pass, connect } = await openWorld();
    const { session } = await connect("Ada");
    service.canWrite = false;
    type(session, "Too late ");
    await pass();
    expect(session.status).toEqual({ kind: "readOnly", why: "access" });
    expect(session.orphans).toEqual(["Too late "]);
    type(session, "ignored");
    expect(textOf(session.state.doc)).toBe("Text.|More.");
    session.dismiss("Too late ");
    expect(session.orphans).toEqual([]);
  });

  it("whose steps are refused opens the document again and keeps the text", {
    meta: { proves: ["live.failure.refused"] },
  }, async () => {
    const { service, pass, connect } = await openWorld();
    const push: Transport["push"] = async (batch) => {
      if (JSON.stringify(batch.steps).includes("Bad")) throw new TransportFailure("refused", "Not a step");
      return service.push(batch);
    };
    const { session } = await connect("Ada", { push });
    type(session, "Bad ");
    await pass();
    expect(session.orphans).toEqual(["Bad "]);
    type(session, "Good ");
    await pass();
    expect(textOf(service.doc)).toBe("Good Text.|More.");
    expect(session.status).toEqual({ kind: "saved" });
  });

  it.each([
    [
      "its schema is older than the service's",
      (service: FakeService) => {
        service.schema += 1;
      },
    ],
    [
      "a batch has a node that it does not know",
      (service: FakeService) => {
        const steps = [{ stepType: "replace", from: 0, to: 0, slice: { content: [{ type: "hologram" }] } }];
        const batches = [{ version: 1, clientId: "newer", seq: 1, steps }];
        service.batches = ({ since }) => ({ version: 1, batches: batches.slice(since) });
        service.push = () => {
          throw new TransportFailure("unreachable", "Down");
        };
      },
    ],
  ])("stops and keeps what was written where %s", async (_case, change) => {
    const { service, pass, connect } = await openWorld();
    const { session } = await connect("Ada");
    change(service);
    type(session, "Kept ");
    await pass(60_000);
    expect(session.status).toEqual({ kind: "reload", steps: 1 });
    expect(textOf(session.state.doc)).toBe("Kept Text.|More.");
    type(session, "ignored");
    expect(textOf(session.state.doc)).toBe("Kept Text.|More.");
  });

  it("does not open a document with content that it does not know", async () => {
    const { service, connect } = await openWorld();
    const opened = service.open();
    const content = { type: "doc", content: [{ type: "hologram" }] };
    await expect(connect("Ada", { open: async () => ({ ...opened, content }) })).rejects.toMatchObject({
      kind: "outdated",
    });
  });

  it("goes on in another log, with what was written meanwhile, and doubles no batch whose answer was lost", {
    meta: { proves: ["live.failure.offline"] },
  }, async () => {
    const { service, pass, connect } = await openWorld();
    let isLost = true;
    const push: Transport["push"] = async (batch) => {
      const answer = service.push(batch);
      if (!isLost) return answer;
      service.startLog();
      isLost = false;
      throw new TransportFailure("unreachable", "The answer was lost");
    };
    const { session } = await connect("Ada", { push });
    type(session, "First ");
    await pass(160);
    type(session, "Second ", 7);
    await pass();
    expect(textOf(service.doc)).toBe("First Second Text.|More.");
    expect(textOf(session.state.doc)).toBe("First Second Text.|More.");
    expect(session.orphans).toEqual([]);
  });

  it("keeps changes by others out while an input method writes, at most three seconds", async () => {
    const { pass, connect } = await openWorld();
    const ada = await connect("Ada");
    const bob = await connect("Bob");
    ada.session.hold();
    type(bob.session, "Bob ");
    type(ada.session, "Ada ", 8);
    await pass(2_000);
    expect(textOf(ada.session.state.doc)).toBe("Text.|Ada More.");
    await pass(2_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob Text.|Ada More.");
    expect(textOf(bob.session.state.doc)).toBe("Bob Text.|Ada More.");
  });

  it("keeps them out for three more seconds where an input method begins anew", async () => {
    const { pass, connect } = await openWorld();
    const ada = await connect("Ada");
    const bob = await connect("Bob");
    ada.session.hold();
    type(bob.session, "Bob ");
    await pass(2_000);
    ada.session.hold();
    await pass(2_000);
    expect(textOf(ada.session.state.doc)).toBe("Text.|More.");
    await pass(2_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob Text.|More.");
  });

  it("asks where the caret is before it takes up changes by others, which move the caret along", async () => {
    const { pass, connect } = await openWorld();
    const ada = await connect("Ada");
    const bob = await connect("Bob");
    const asked: string[] = [];
    ada.session.on("arrival", () => {
      const { tr, doc } = ada.session.state;
      asked.push(textOf(doc));
      ada.session.dispatch(tr.setSelection(TextSelection.create(doc, 8)));
    });
    type(ada.session, "Ada ");
    await pass();
    expect(asked).toEqual([]);
    type(bob.session, "Bob ");
    await pass();
    expect(asked).toEqual(["Ada Text.|More."]);
    const { head } = ada.session.state.selection;
    expect([textOf(ada.session.state.doc), head]).toEqual(["Bob Ada Text.|More.", 12]);
  });

  it("asks where the caret is before its own batch comes back changed", async () => {
    const { pass, connect } = await openWorld();
    let bring: StreamReceiver["batch"] = () => undefined;
    const { session } = await connect("Ada", {
      push: () => new Promise(() => undefined),
      stream: (_position, receiver) => {
        bring = receiver.batch;
        return () => undefined;
      },
    });
    const asked: string[] = [];
    session.on("arrival", () => asked.push(textOf(session.state.doc)));
    type(session, "Ada ");
    await pass(200);
    bring({ version: 1, clientId: "Ada 1", seq: 1, steps: [insertionOf("Ada ", 8)], origins: [0] });
    expect(asked).toEqual(["Ada Text.|More."]);
    expect(textOf(session.state.doc)).toBe("Text.|Ada More.");
  });

  it("shows what several others write within 60 ms in one piece", async () => {
    const { service, pass, connect } = await openWorld();
    const { session } = await connect("Ada");
    const shown: string[] = [];
    session.on("state", () => shown.push(textOf(session.state.doc)));
    for (const letter of ["a", "b", "c", "d"]) {
      service.append(`assistant ${letter}`, JSON.stringify([insertionOf(letter)]));
      await pass(10);
    }
    await pass(200);
    expect(shown).toEqual(["aText.|More.", "dcbaText.|More."]);
  });

  it("shows what others write at once where it is asked to", async () => {
    const { service, pass, connect } = await openWorld();
    const { session } = await connect("Ada");
    for (const letter of ["a", "b"]) {
      service.append(`assistant ${letter}`, JSON.stringify([insertionOf(letter)]));
      await pass(10);
    }
    expect(textOf(session.state.doc)).toBe("aText.|More.");
    session.takeWaiting();
    expect(textOf(session.state.doc)).toBe("baText.|More.");
  });

  it.each([
    ["with what others write before it, where its next batch has to wait anyway", 140, "aText.|Ada More.", "saving"],
    ["at once, where its next batch could be sent", 150, "baText.|Ada More.", "saved"],
  ])("has its batch confirmed %s", async (_case, answerMs, shown, status) => {
    const { pass, connect } = await openWorld();
    let bring: StreamReceiver["batch"] = () => undefined;
    const { session } = await connect("Ada", {
      push: () => new Promise(() => undefined),
      stream: (_position, receiver) => {
        bring = receiver.batch;
        return () => undefined;
      },
    });
    type(session, "Ada ", 8);
    await pass(150 + answerMs);
    bring({ version: 1, clientId: "Bob 1", seq: 1, steps: [insertionOf("a")] });
    bring({ version: 2, clientId: "Bob 1", seq: 2, steps: [insertionOf("b")] });
    bring({ version: 3, clientId: "Ada 1", seq: 1, steps: [insertionOf("Ada ", 10)] });
    expect([textOf(session.state.doc), session.status.kind]).toEqual([shown, status]);
    await pass(60);
    expect([textOf(session.state.doc), session.status.kind]).toEqual(["baText.|Ada More.", "saved"]);
  });

  it("undoes its own changes across those of others", async () => {
    const { service, pass, connect } = await openWorld();
    const ada = await connect("Ada");
    const bob = await connect("Bob");
    type(ada.session, "Ada ");
    await pass();
    type(bob.session, "Bob ");
    await pass();
    undo(ada.session.state, (transaction) => ada.session.dispatch(transaction));
    await pass();
    expect(textOf(service.doc)).toBe("Bob Text.|More.");
  });

  it("that is closed sends what is left, and says whether the service has it", async () => {
    const { service, time, connect } = await openWorld();
    const ada = await connect("Ada");
    type(ada.session, "Last words. ");
    const closing = ada.session.close();
    await time.runUntil(time.now() + 5_000);
    expect(await closing).toBe(true);
    expect(textOf(service.doc)).toBe("Last words. Text.|More.");
    const bob = await connect("Bob");
    bob.network.isOffline = true;
    type(bob.session, "Lost? ");
    const leaving = bob.session.close();
    await time.runUntil(time.now() + 12_000);
    expect(await leaving).toBe(false);
    bob.network.isOffline = false;
    await time.runUntil(time.now() + 20_000);
    expect(textOf(service.doc)).toBe("Lost? Last words. Text.|More.");
    type(bob.session, "ignored");
    expect(textOf(bob.session.state.doc)).toBe("Lost? Last words. Text.|More.");
  });

  it("that is closed while the service keeps batches waiting sends them once it takes them again", async () => {
    const { service, time, connect } = await openWorld();
    const { session } = await connect("Ada", {
      push: async (batch) => {
        if (time.now() < 5_000) throw new TransportFailure("unreachable", "Wait", 1_000);
        return service.push(batch);
      },
    });
    type(session, "Last words. ");
    const closing = session.close();
    await time.runUntil(time.now() + 12_000);
    expect(await closing).toBe(true);
    expect(textOf(service.doc)).toBe("Last words. Text.|More.");
  });

  it("that ends while it opens its document again sends nothing any more", async () => {
    const { pass, connect } = await openWorld();
    let pushes = 0;
    const push: Transport["push"] = async () => {
      pushes += 1;
      throw new TransportFailure(pushes === 1 ? "reopen" : "unreachable", "Another log, then none");
    };
    const { session } = await connect("Ada", { push });
    type(session, "New ");
    await pass(200);
    session.end();
    await pass();
    expect(pushes).toBe(2);
  });

  it("sends what a plugin appends to a change of somebody else", async () => {
    const { service, pass, connect } = await openWorld();
    const sign = new Plugin({
      appendTransaction: (_transactions, _before, { doc, tr }) =>
        textOf(doc).startsWith("Bob Text.") ? tr.insertText("Signed. ", 1) : null,
    });
    const ada = await connect("Ada", { plugins: [sign] });
    const bob = await connect("Bob");
    type(bob.session, "Bob ");
    await pass();
    expect(textOf(ada.session.state.doc)).toBe("Signed. Bob Text.|More.");
    expect(textOf(service.doc)).toBe("Signed. Bob Text.|More.");
    expect(ada.session.status).toEqual({ kind: "saved" });
  });

  it("of a document that is gone keeps the text on the screen", {
    meta: { proves: ["live.failure.read-revoked"] },
  }, async () => {
    const { service, pass, connect } = await openWorld();
    const { session } = await connect("Ada");
    service.isGone = true;
    type(session, "Mine ");
    await pass();
    expect(session.status).toEqual({ kind: "gone", steps: 1 });
    expect(textOf(session.state.doc)).toBe("Mine Text.|More.");
  });
});

/** Returns a step that inserts text, as JSON. */
const insertionOf = (text: string, at = 1): unknown => ({
  stepType: "replace",
  from: at,
  to: at,
  slice: { content: [{ type: "text", text }] },
});
