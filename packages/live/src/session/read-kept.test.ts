import { describe, expect, it } from "vitest";
import { openKeptWorld as openWorld } from "../testing/kept-world.ts";
import { textOf, typeInto as type } from "../testing/session-world.ts";
import { readKeptChanges } from "./read-kept.ts";
import type { KeptSession } from "./session-store.ts";
import { charactersOf } from "./step-json.ts";
import { textsOfKept } from "./texts-of-kept.ts";
import { type Transport, TransportFailure } from "./transport.ts";

type Path = readonly (string | number)[];

/** Returns the place of each part of some JSON. */
function pathsIn(json: unknown, path: Path = []): readonly Path[] {
  if (typeof json !== "object" || json === null) return [path];
  const entries = Array.isArray(json) ? [...json.entries()] : Object.entries(json);
  return [path, ...entries.flatMap(([name, value]) => pathsIn(value, [...path, name]))];
}

/** Returns a copy of some JSON without a part, or with another value in its place. */
function damaged(json: unknown, [name, ...rest]: Path, value?: unknown): unknown {
  if (name === undefined) return value;
  const copy: unknown = structuredClone(json);
  if (typeof copy !== "object" || copy === null) throw new TypeError("No place in it has this name");
  if (rest.length > 0) Reflect.set(copy, name, damaged(Reflect.get(copy, name), rest, value));
  else if (value !== undefined) Reflect.set(copy, name, value);
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else Reflect.deleteProperty(copy, name);
  return copy;
}

const words = ["alpha", "beta", "gamma", "delta"];

/** A device with a batch on the way, which the service has or not, batches of others, and text that was not sent. */
async function leave(isAccepted: boolean) {
  const world = openWorld("Text.\n\nMore.\n");
  const { service, pass, open } = world;
  const bob = await open();
  const push: Transport["push"] = (batch) => {
    if (isAccepted) service.push(JSON.parse(JSON.stringify(batch)));
    return new Promise(() => {});
  };
  const tab = await open(undefined, null, ({ stream }) => ({
    push,
    // What comes back would settle the batch.
    stream: isAccepted ? () => () => {} : stream,
    batches: () => new Promise(() => {}),
  }));
  await pass(1_000);
  type(tab.session, "alpha ");
  type(tab.session, "beta ", tab.session.state.doc.content.size - 1);
  await pass(1_000);
  type(bob.session, "Bob ", (bob.session.state.doc.firstChild?.nodeSize ?? 0) + 1);
  await pass(1_000);
  type(tab.session, "gamma ");
  await pass(1_000);
  const { store, kept } = tab.store.takeOver();
  tab.network.die();
  if (kept === null) throw new Error("The device has nothing");
  const changes = { ...kept.changes, orphans: ["delta"] };
  return { ...world, store, kept: { ...kept, changes: { ...changes, characters: charactersOf(changes) } } };
}

/** Opens what a device has left, with a part of it missing or replaced; returns what is in the document, and what is offered. */
async function openDamaged(isAccepted: boolean, path: Path, value?: unknown) {
  const { service, pass, open, store, kept: whole } = await leave(isAccepted);
  const { changes: json, snapshot } = damaged(whole, path, value) as {
    readonly changes: unknown;
    readonly snapshot: never;
  };
  const changes = readKeptChanges(json);
  const kept: KeptSession | null = changes === null ? null : { snapshot, changes };
  const { session } = await open(store, kept);
  await pass();
  return { service, session, isRead: kept !== null, written: JSON.stringify(json) ?? "" };
}

describe("a device with damaged text", () => {
  it("has text that is whole", async () => {
    const { kept: example } = await leave(false);
    expect(example.changes).toMatchObject({ batches: [[{}]], local: [{}, {}, {}], sent: { steps: [{}, {}] } });
    expect(readKeptChanges(example.changes)).toBe(example.changes);
  });

  it("counts the characters of text that it keeps step by step, as they are in the whole", async () => {
    for (const isAccepted of [false, true]) {
      const { changes } = (await leave(isAccepted)).kept;
      for (const each of [
        changes,
        { ...changes, sent: null, batches: [], local: [], orphans: ['\u{1F600} \n"', ""] },
      ]) {
        expect(charactersOf(each)).toBe(JSON.stringify({ ...each, characters: undefined }).length);
      }
    }
  });

  it.each([
    ["missing", false, undefined],
    ["missing", true, undefined],
    ["empty", false, null],
    ["empty", true, null],
    ["something else", false, 12_345],
    ["something else", true, "seventeen"],
  ])(
    "of which any part is %s, loses no word that it still has, doubles none, and shows the document of the service (%s)",
    async (_name, isAccepted, value) => {
      const { kept: whole } = await leave(isAccepted);
      const paths = pathsIn(whole).filter(([part, ...rest]) => part === "snapshot" || rest.length > 0);
      for (const path of paths) {
        const { service, session, isRead, written } = await openDamaged(isAccepted, path, value);
        const text = textOf(session.state.doc);
        const where = JSON.stringify({ path, text, orphans: session.orphans });
        expect(session.state.doc.eq(service.doc), where).toBe(true);
        expect(session.status, where).toEqual({ kind: "saved" });
        expect(text.replace(/alpha |beta |gamma /g, ""), where).toBe("Text.|Bob More.");
        for (const word of words) {
          expect(text.split(word).length, where).toBeLessThanOrEqual(2);
          const isThere = text.includes(word) || session.orphans.join("|").includes(word);
          expect(isThere || !written.includes(word) || !isRead, `${word} ${where}`).toBe(true);
        }
        expect(isRead || words.every((word) => !written.includes(word)), where).toBe(true);
      }
    },
  );

  const typed = (text: string) => ({
    stepType: "replace",
    from: 1,
    to: 1,
    slice: { content: [{ type: "text", text }] },
  });
  const keyed = (value: string) => ({ stepType: "attr", pos: 5, attr: "latex", value });
  const row = (local: readonly unknown[], sent: readonly unknown[], orphans: readonly string[] = []) => ({
    batches: [],
    local: local.map((step, index) => ({ step, sentIndex: index < sent.length ? index : null })),
    sent: { lineage: "log 1", clientId: "client 1", seq: 1, base: 0, schema: 1, steps: sent },
    orphans,
  });

  it.each([
    [
      "a formula of which a part is on the way",
      row([keyed("x"), keyed("x^"), keyed("x^2")], [keyed("x"), keyed("x^")]),
      ["x^2"],
    ],
    ["text that lost its place while it was on the way", row([], [typed("hello")], ["hello"]), ["hello"]],
    ["text of which a part is on the way", row([typed("ab"), typed("c")], [typed("ab")], ["older"]), ["older", "abc"]],
  ])("offers %s once, whether the row is whole or damaged", (_name, whole, texts) => {
    expect(textsOfKept(whole)).toEqual(texts);
    const read = readKeptChanges({ ...whole, characters: 1 });
    expect(read).toEqual({ batches: [], local: [], sent: null, orphans: texts });
    expect(read && textsOfKept(read)).toEqual(texts);
  });

  it("offers what the batch on the way has where the steps are lost, with the last of a formula's keys", () => {
    const { local, ...lost } = row([], [typed("a "), keyed("x"), keyed("x^2")], ["older"]);
    expect(readKeptChanges(lost)?.orphans).toEqual(["older", "a x^2"]);
    const last = { ...lost, local: [{ step: typed("b"), sentIndex: null }], characters: 1 };
    expect(readKeptChanges(last)?.orphans).toEqual(["older", "a x^2", "b"]);
  });

  it("offers the text beside a step that is missing in a row that was not counted", () => {
    const { local, ...earlier } = row([typed("here")], [typed("here")]);
    expect(readKeptChanges({ ...earlier, local: [null, ...local] })?.orphans).toEqual(["here"]);
  });

  it("opens without the service once that is there, and offers the text without a place", async () => {
    const { service, pass, open, store, kept } = await leave(false);
    let isAway = true;
    const snapshot = { lineage: "", version: 0, content: null };
    const opening = open(store, { ...kept, snapshot }, () => ({
      open: async () => {
        if (isAway) throw new TransportFailure("unreachable", "Offline");
        return service.open();
      },
    }));
    await pass();
    expect(store.read()?.changes.local).toHaveLength(3);
    isAway = false;
    const [{ session }] = await Promise.all([opening, pass()]);
    expect(session.orphans).toEqual(["delta", "alpha beta gamma "]);
    expect(textOf(session.state.doc)).toBe("Text.|Bob More.");
    await pass();
    expect(store.read()?.changes.orphans).toEqual(["delta", "alpha beta gamma "]);
  });
});
