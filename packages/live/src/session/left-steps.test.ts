import { describe, expect, it } from "vitest";
import { openKeptWorld as openWorld } from "../testing/kept-world.ts";
import { textOf, typeInto as type } from "../testing/session-world.ts";
import type { EditorSession } from "./editor-session.ts";
import type { SentPush, Transport } from "./transport.ts";

/** A step that inserts text, and a step as the device keeps it. */
const lostOf = (text: string) => ({
  stepType: "replace",
  from: 12,
  to: 12,
  slice: { content: [{ type: "text", text }] },
});
const unsent = (step: unknown) => ({ step, sentIndex: null });

/** A tab whose device has only its first words, and which has sent more; `push` sends its batch, after something happened. */
const openBehind = async (
  { pass, open }: ReturnType<typeof openWorld>,
  push: Partial<Transport> = {},
  before = (): void => {},
  write: (session: EditorSession) => void = (session) => type(session, "One "),
) => {
  const tab = await open(undefined, null, () => push);
  await pass(1);
  write(tab.session);
  await pass(145);
  tab.store.isFull = true;
  before();
  type(tab.session, "Two ", 5);
  await pass(2_000);
  tab.network.die();
  const { store, kept } = tab.store.takeOver();
  expect(kept?.changes).toMatchObject({ sent: null, local: [{ sentIndex: null }] });
  return { store, kept };
};

describe("a session that goes on from what a device has of it", () => {
  it("whose device knows nothing of a batch that arrived, sends nothing twice", async () => {
    const world = openWorld();
    const { store, kept } = await openBehind(world);
    expect(textOf(world.service.doc)).toBe("One Two Text.|More.");
    const { session } = await world.open(store, kept);
    type(session, "New ");
    await world.pass();
    expect(session.status).toEqual({ kind: "saved" });
    expect(session.orphans).toEqual([]);
    expect(textOf(world.service.doc)).toBe("New One Two Text.|More.");
    expect(session.state.doc.eq(world.service.doc)).toBe(true);
  });

  it("sends nothing twice that an earlier session has sent to the next log, whose device knew neither", async () => {
    const world = openWorld();
    const { store, kept } = await openBehind(world, {}, () => world.service.startLog());
    expect(textOf(world.service.doc)).toBe("One Two Text.|More.");
    const { session } = await world.open(store, kept);
    await world.pass();
    expect(session.status).toEqual({ kind: "saved" });
    expect(textOf(world.service.doc)).toBe("One Two Text.|More.");
    expect(session.state.doc.eq(world.service.doc)).toBe(true);
  });

  it.each(["before", "after"])(
    "takes up a late batch of the crashed tab that arrives %s its own, once",
    async (when) => {
      const world = openWorld();
      const late: SentPush[] = [];
      const push: Transport["push"] = (batch) => {
        late.push(batch);
        return new Promise(() => {});
      };
      const { store, kept } = await openBehind(world, { push });
      const arrive = (): unknown => late[0] && world.service.push(JSON.parse(JSON.stringify(late[0])));
      const { session } = await world.open(store, kept, (network) => ({
        push: async (batch) => {
          if (when === "before" && world.service.accepted.size === 0) arrive();
          return network.push(batch);
        },
      }));
      type(session, "New ");
      await world.pass();
      if (when === "after") expect(arrive).toThrow("Another batch had this number");
      await world.pass();
      expect(session.status).toEqual({ kind: "saved" });
      expect(session.orphans).toEqual([]);
      expect(textOf(world.service.doc)).toBe(when === "before" ? "New One Two Text.|More." : "New One Text.|More.");
      expect(session.state.doc.eq(world.service.doc)).toBe(true);
    },
  );

  it.each([
    "Lost ",
    // The document had it before.
    "More.",
  ])(
    "sends nothing twice either where the log that has the batch is gone, and keeps “%s” for its author",
    async (text) => {
      const world = openWorld();
      const { store, kept } = await openBehind(world);
      const { step } = kept?.changes.local[0] ?? {};
      // As an earlier release has kept it.
      const { batches = [], sent = null, client, orphans = [] } = kept?.changes ?? {};
      const local = [step, lostOf(text)].map(unsent);
      const changes = { batches, local, sent, ...(client && { client }), orphans };
      world.service.startLog();
      const { session } = await world.open(store, kept && { ...kept, changes });
      await world.pass();
      expect(session.status).toEqual({ kind: "saved" });
      expect(session.orphans).toEqual([text]);
      expect(textOf(world.service.doc)).toBe("One Two Text.|More.");
      expect(session.state.doc.eq(world.service.doc)).toBe(true);
    },
  );

  it("finds text of several paragraphs that the document has", async () => {
    const world = openWorld();
    const { store, kept } = await openBehind(world, {}, undefined, (session) => {
      const { tr, schema } = session.state;
      const paragraphs = ["One", "Other"].map((text) => schema.node("paragraph", null, [schema.text(text)]));
      session.dispatch(tr.insert(0, paragraphs));
    });
    world.service.startLog();
    const { session } = await world.open(store, kept);
    await world.pass();
    expect(session.orphans).toEqual([]);
    expect(textOf(world.service.doc)).toBe("One|Two |Other|Text.|More.");
    expect(session.state.doc.eq(world.service.doc)).toBe(true);
  });

  it("whose device kept an old batch, because it had no room later, sends nothing twice", async () => {
    const { service, pass, open } = openWorld();
    const answers: (() => void)[] = [];
    const tab = await open(undefined, null, (network) => ({
      // The answer to the first batch comes late, and the device has no room from then on.
      push: async (batch) => {
        const answer = await network.push(batch);
        if (batch.seq === 1) await new Promise<void>((resolve) => void answers.push(resolve));
        return answer;
      },
      stream: () => () => {},
      batches: async (position) => ({ ...(await network.batches(position)), batches: [] }),
    }));
    type(tab.session, "One ");
    await pass(1_000);
    tab.store.isFull = true;
    for (const answer of answers) answer();
    await pass(1_000);
    type(tab.session, "Two ", 5);
    await pass(2_000);
    expect(textOf(service.doc)).toBe("One Two Text.|More.");
    tab.network.die();
    const { store, kept } = tab.store.takeOver();
    expect(kept?.changes.sent?.seq).toBe(1);
    // The service refuses the old number before the stream brings anything.
    const { session } = await open(store, kept, () => ({ stream: () => () => {} }));
    await pass();
    expect(session.status).toEqual({ kind: "saved" });
    expect(textOf(session.state.doc)).toBe("One Two Text.|More.");
    expect(textOf(service.doc)).toBe("One Two Text.|More.");
  });
});
