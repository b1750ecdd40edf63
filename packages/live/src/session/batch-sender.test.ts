import { Plugin } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { openSessionWorld as openWorld, textOf, typeInto as type } from "../testing/session-world.ts";
import type { Clock } from "./clock.ts";
import type { WireBatch } from "./transport.ts";

describe("a session", () => {
  it("sends what it may not write yet as soon as it may again", async () => {
    const { service, pass, connect } = await openWorld();
    const sign = new Plugin({
      appendTransaction: (_transactions, _before, { doc, tr }) =>
        textOf(doc).startsWith("Bob Text.") ? tr.insertText("Signed. ", 1) : null,
    });
    let setAccess = (_canWrite: boolean): void => {};
    await connect("Ada", {
      plugins: [sign],
      stream: (_position, receiver) => {
        setAccess = receiver.access;
        return () => {};
      },
    });
    const bob = await connect("Bob");
    setAccess(false);
    type(bob.session, "Bob ");
    await pass();
    expect(textOf(service.doc)).toBe("Bob Text.|More.");
    setAccess(true);
    await pass(100);
    expect(textOf(service.doc)).toBe("Signed. Bob Text.|More.");
  });

  it("takes no batch of somebody else for its own, whatever client id and number that has", async () => {
    const { service, pass, connect } = await openWorld();
    let receive = (_batch: WireBatch): void => {};
    const ada = await connect("Ada", {
      open: async () => ({ ...service.open(), author: "ada" }),
      push: () => new Promise(() => {}),
      stream: (_position, receiver) => {
        receive = receiver.batch;
        return () => {};
      },
    });
    type(ada.session, "Mine ");
    await pass(1_000);
    const steps = [ada.session.state.tr.insertText("Theirs ", 1).steps[0]?.toJSON()];
    receive({ version: 1, clientId: "Ada 1", seq: 1, author: "bob", steps });
    expect(textOf(ada.session.state.doc)).toContain("Theirs ");
    expect(textOf(ada.session.state.doc)).toContain("Mine ");
    expect(ada.session.status).toEqual({ kind: "saving" });
    receive({ version: 2, clientId: "Ada 1", seq: 1, author: "ada", steps: [], origins: [] });
    expect(ada.session.status).toEqual({ kind: "saved" });
  });

  it("sends on after the clock of the machine was set back", async () => {
    const { service, time, pass, connect } = await openWorld();
    let shift = 0;
    const clock: Clock = {
      now: () => time.now() + shift,
      after: (ms, run) => time.after(ms, run),
      random: () => time.random(),
    };
    const { session } = await connect("Ada", { clock });
    type(session, "One ");
    await pass(155);
    type(session, "Two ");
    shift = -3_600_000;
    await pass(1_000);
    expect(textOf(service.doc)).toBe("Two One Text.|More.");
  });
});
