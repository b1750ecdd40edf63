import { schema } from "markdown-codec/schema";
import { undo } from "prosemirror-history";
import { describe, expect, it } from "vitest";
import { openSessionWorld, textOf, typeInto } from "../testing/session-world.ts";
import type { Clock } from "./clock.ts";
import { type StreamReceiver, type Transport, TransportFailure } from "./transport.ts";

const noStream: Transport["stream"] = () => () => {};
const deadStream: Transport["stream"] = (_position, receiver) => {
  receiver.connected(true);
  return () => {};
};

/** Returns a stream whose first connection says nothing more; `next` opens each later one. */
function dyingStream(next: () => Transport["stream"]) {
  const streams = { opened: 0, open };
  function open(...given: Parameters<Transport["stream"]>): () => void {
    streams.opened += 1;
    return (streams.opened === 1 ? deadStream : next())(...given);
  }
  return streams;
}

/** Returns a machine whose clock goes on while it sleeps, and whose timers do not. */
function sleepingMachine(time: Clock): { sleptMs: number; readonly clock: Clock } {
  const now = (): number => time.now() + machine.sleptMs;
  const clock: Clock = { now, after: (ms, run) => time.after(ms, run), random: () => time.random() };
  const machine = { sleptMs: 0, clock };
  return machine;
}

describe("a session", () => {
  it.each([
    ["whose stream died meanwhile", deadStream],
    ["without a stream", noStream],
  ])(
    "of a laptop that wakes up catches up within a second, %s",
    {
      meta: { proves: ["live.failure.asleep"] },
    },
    async (_name, stream) => {
      const { time, pass, connect } = await openSessionWorld();
      const machine = sleepingMachine(time);
      const ada = await connect("Ada", { clock: machine.clock, stream });
      const bob = await connect("Bob");
      // Nothing of Ada's machine runs while it sleeps.
      typeInto(bob.session, "Bob ");
      bob.session.flush();
      await pass(100);
      machine.sleptMs += 3_600_000;
      expect(textOf(ada.session.state.doc)).toBe("Text.|More.");
      await pass(1_000);
      expect(textOf(ada.session.state.doc)).toBe("Bob Text.|More.");
    },
  );

  it("that wakes up before its network does asks again every two seconds, and connects its stream again", async () => {
    const { service, time, pass, connect } = await openSessionWorld();
    const machine = sleepingMachine(time);
    // Without a network, the second one does not open.
    const streams = dyingStream(() => noStream);
    let losses = 2;
    const ada = await connect("Ada", {
      clock: machine.clock,
      stream: streams.open,
      batches: async (position) => {
        if (losses-- > 0) throw new TransportFailure("unreachable", "No network");
        return service.batches(position);
      },
    });
    const bob = await connect("Bob");
    typeInto(bob.session, "Bob ");
    bob.session.flush();
    await pass(100);
    machine.sleptMs += 3_600_000;
    await pass(6_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob Text.|More.");
    expect(streams.opened).toBe(2);
  });

  it("whose stream dies without a word connects it again once it has asked for what is new", async () => {
    const { pass, connect } = await openSessionWorld();
    const streams = dyingStream(() => ada.network.stream);
    const ada = await connect("Ada", { stream: streams.open });
    const bob = await connect("Bob");
    await pass(60_000);
    expect(streams.opened).toBe(1);
    typeInto(bob.session, "Bob ");
    await pass(31_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob Text.|More.");
    expect(streams.opened).toBe(2);
    typeInto(bob.session, "is here ", 5);
    await pass(1_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob is here Text.|More.");
    await pass(120_000);
    expect(streams.opened).toBe(2);
  });

  it("whose network was cut without a word connects its stream again seconds after the network is back", async () => {
    const { service, pass, connect } = await openSessionWorld();
    const streams = dyingStream(() => ada.network.stream);
    let isCut = false;
    const ada = await connect("Ada", {
      stream: streams.open,
      batches: async (position) => {
        if (isCut) throw new TransportFailure("unreachable", "No network");
        return service.batches(position);
      },
    });
    const bob = await connect("Bob");
    isCut = true;
    typeInto(bob.session, "Bob ");
    await pass(60_000);
    expect(textOf(ada.session.state.doc)).toBe("Text.|More.");
    isCut = false;
    await pass(4_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob Text.|More.");
    expect(streams.opened).toBe(2);
    typeInto(bob.session, "is here ", 5);
    await pass(1_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob is here Text.|More.");
  });

  it("keeps a stream that brings a batch while, or soon after, it asks for what is new", async () => {
    for (const delay of [-200, 200]) {
      const { service, time, pass, connect } = await openSessionWorld();
      let streams = 0;
      let receiver: StreamReceiver | undefined;
      const ada = await connect("Ada", {
        stream: (_position, given) => {
          streams += 1;
          receiver = given;
          given.connected(true);
          return () => {};
        },
        batches: async (position) => {
          const page = service.batches(position);
          const bring = () => {
            for (const batch of page.batches) receiver?.batch(batch);
          };
          time.after(500 + delay, bring);
          await new Promise<void>((resolve) => void time.after(500, resolve));
          return page;
        },
      });
      const bob = await connect("Bob");
      typeInto(bob.session, "Bob ");
      await pass(40_000);
      expect(textOf(ada.session.state.doc)).toBe("Bob Text.|More.");
      await pass(60_000);
      expect(streams, `${delay}`).toBe(1);
    }
  });

  it("that wakes up waits for no question of before its sleep", async () => {
    const { service, time, pass, connect } = await openSessionWorld();
    const machine = sleepingMachine(time);
    let questions = 0;
    const ada = await connect("Ada", {
      clock: machine.clock,
      stream: noStream,
      // The first one hangs on a connection that died.
      batches: async (position) => (++questions === 1 ? new Promise(() => {}) : service.batches(position)),
    });
    const bob = await connect("Bob");
    await pass(3_000);
    expect(questions).toBe(1);
    typeInto(bob.session, "Bob ");
    bob.session.flush();
    await pass(100);
    machine.sleptMs += 3_600_000;
    await pass(1_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob Text.|More.");
  });

  it("behind a proxy that buffers streams reads the others within three seconds, and saves as ever", {
    meta: { proves: ["live.failure.buffered"] },
  }, async () => {
    const { service, pass, connect } = await openSessionWorld();
    const ada = await connect("Ada", { stream: noStream });
    const bob = await connect("Bob");
    typeInto(bob.session, "Bob ");
    typeInto(ada.session, "Ada ", 8);
    await pass(3_000);
    expect(textOf(ada.session.state.doc)).toBe("Bob Text.|Ada More.");
    expect(textOf(service.doc)).toBe("Bob Text.|Ada More.");
    expect(ada.session.status).toEqual({ kind: "saved" });
    // Without a batch of her own, whose answer would tell of the others.
    typeInto(bob.session, "More of ");
    await pass(3_000);
    expect(textOf(ada.session.state.doc)).toBe("More of Bob Text.|Ada More.");
  });

  it("that undoes a pasted block removes the words of others in it, and no other word", {
    meta: { proves: ["live.failure.undone-paste"] },
  }, async () => {
    const { service, pass, connect } = await openSessionWorld();
    const ada = await connect("Ada");
    const bob = await connect("Bob");
    const block = schema.node("paragraph", null, [schema.text("Pasted.")]);
    ada.session.dispatch(ada.session.state.tr.insert(0, block));
    await pass();
    typeInto(bob.session, "Bob ");
    await pass();
    typeInto(bob.session, "Bob ", 14);
    await pass();
    expect(textOf(service.doc)).toBe("Bob Pasted.|Bob Text.|More.");
    undo(ada.session.state, (transaction) => ada.session.dispatch(transaction));
    await pass();
    for (const doc of [service.doc, ada.session.state.doc, bob.session.state.doc]) {
      expect(textOf(doc)).toBe("Bob Text.|More.");
    }
    const { batches } = service.batches({ lineage: service.lineage, since: 1 });
    expect(JSON.stringify(batches[0]?.steps)).toContain("Bob ");
  });
});
