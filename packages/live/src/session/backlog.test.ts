import { Plugin } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import { openKeptWorld } from "../testing/kept-world.ts";
import { openSessionWorld, textOf, typeInto } from "../testing/session-world.ts";
import { type Transport, TransportFailure, type WireBatch } from "./transport.ts";

/** Counts how often what is not sent was taken back and put on top of what others wrote. */
const countingRebases = () => {
  let count = 0;
  const plugin = new Plugin({
    state: {
      init: () => null,
      apply: (transaction) => {
        if (transaction.docChanged && transaction.getMeta("rebased") > 0) count += 1;
        return null;
      },
    },
  });
  return { plugin, count: () => count };
};

describe("a device that was away for long", () => {
  it.each([
    { steps: 1_900, others: 200, expected: 1 },
    { steps: 300, others: 10, expected: 1 },
    { steps: 100, others: 10, expected: 10 },
  ])(
    "rebases $steps steps $expected times for $others batches by others, and sends them once and in order",
    async ({ steps, others, expected }) => {
      const { service, pass, connect } = await openSessionWorld();
      let isAway = false;
      /** All that is new, as the service answers up to 500 batches. */
      const batches: Transport["batches"] = async (position) => {
        if (isAway) throw new TransportFailure("unreachable", "Away");
        const found: WireBatch[] = [];
        for (;;) {
          const page = service.batches({ ...position, since: position.since + found.length });
          found.push(...page.batches);
          if (page.batches.length === 0) return { ...page, batches: found };
        }
      };
      const rebases = countingRebases();
      const ada = await connect("Ada", { batches, stream: () => () => {}, plugins: [rebases.plugin] });
      const bob = await connect("Bob");
      isAway = true;
      ada.network.isOffline = true;
      const written = Array.from({ length: steps }, (_, index) => `${index} `);
      let end = 1;
      for (const word of written) {
        typeInto(ada.session, word, end);
        end += word.length;
      }
      for (let count = 0; count < others; count++) {
        typeInto(bob.session, "y", bob.session.state.doc.content.size - 1);
        await pass(400);
      }
      expect(service.accepted.size).toBe(others);
      isAway = false;
      ada.network.isOffline = false;
      await pass(60_000);
      expect(ada.session.status).toEqual({ kind: "saved" });
      expect(textOf(service.doc)).toBe(`${written.join("")}Text.|More.${"y".repeat(others)}`);
      expect(ada.session.state.doc.eq(service.doc)).toBe(true);
      expect([...service.accepted.values()].every((count) => count === 1)).toBe(true);
      expect(rebases.count()).toBe(expected);
    },
  );

  it("sends what many closed tabs have left over a network with faults, each batch once and each text in order", async () => {
    const { service, pass, open } = openKeptWorld();
    const left = [];
    for (let tab = 0; tab < 40; tab++) {
      const { session, network, store } = await open();
      network.isOffline = true;
      for (let word = 0; word < 5; word++) typeInto(session, `${tab}.${word};`, 1 + word * `${tab}.0;`.length);
      await pass(300);
      network.die();
      left.push(store.takeOver());
    }
    const sessions = await Promise.all(
      left.map(async ({ store, kept }) => {
        const { session, network } = await open(store, kept);
        network.isFaulty = true;
        return session;
      }),
    );
    await pass(120_000);
    expect(sessions.map(({ status }) => status.kind)).toEqual(sessions.map(() => "saved"));
    expect([...service.accepted.values()]).toEqual(sessions.map(() => 1));
    for (const tab of sessions.keys()) {
      const text = [0, 1, 2, 3, 4].map((word) => `${tab}.${word};`).join("");
      // A tab with another number may end with this one's.
      expect(textOf(service.doc).split(new RegExp(`(?<![0-9])${text.replaceAll(".", "\\.")}`))).toHaveLength(2);
    }
  });
});
