import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { describe, expect, it } from "vitest";
import { openKeptWorld as openWorld } from "../testing/kept-world.ts";
import { textOf, typeInto as type } from "../testing/session-world.ts";
import type { EditorSession } from "./editor-session.ts";
import { Orphans } from "./orphans.ts";
import { SessionListeners } from "./status.ts";
import { TransportFailure } from "./transport.ts";

const paragraphs = "First.\n\nSecond.\n\nThird.\n\nFourth.\n";

/** Types a text at the beginning of the paragraph that has a word. */
function typeBefore(session: EditorSession, word: string, text: string): void {
  session.state.doc.forEach((block, offset) => {
    if (block.textContent.includes(word)) type(session, text, offset + 1);
  });
}

/** Deletes the paragraph that has a word. */
function remove(session: EditorSession, word: string): void {
  session.state.doc.forEach((block, offset) => {
    if (!block.textContent.includes(word)) return;
    session.dispatch(session.state.tr.delete(offset, offset + block.nodeSize));
  });
}

/** Forgets the own version, as its author does who has saved it. */
function takeOwnVersion(session: EditorSession): void {
  expect(session.ownVersion).not.toBeNull();
  if (session.ownVersion !== null) session.dismiss(session.ownVersion);
}

const ownText = ({ ownVersion }: EditorSession): string | null => ownVersion && textOf(ownVersion);

/** A tab that wrote ten letters in each of four paragraphs while it was offline, of which another person deleted some. */
async function writeAway(deleted: readonly string[]) {
  const world = openWorld(paragraphs);
  const { pass, open } = world;
  const tab = await open();
  const bob = await open();
  tab.network.isOffline = true;
  for (const word of ["First", "Second", "Third", "Fourth"])
    typeBefore(tab.session, word, `my ${word.padEnd(6, "!")} `);
  await pass(1_000);
  const mine = textOf(tab.session.state.doc);
  for (const word of deleted) {
    remove(bob.session, word);
    await pass(1_000);
  }
  return { ...world, tab, bob, mine };
}

/** A tab that receives what another person writes, while the service does not answer what it sends. */
async function writeUnanswered() {
  const { pass, open } = openWorld(paragraphs);
  const tab = await open(undefined, null, () => ({
    push: async () => {
      throw new TransportFailure("unreachable", "No answer");
    },
  }));
  const bob = await open();
  for (const word of ["First", "Second", "Third", "Fourth"])
    typeBefore(tab.session, word, `my ${word.padEnd(6, "!")} `);
  await pass(1_000);
  const removeAsBob = async (word: string): Promise<void> => {
    remove(bob.session, word);
    await pass(1_000);
  };
  return { tab, removeAsBob };
}

/** A tab whose right to write a test ends, before the service has answered anything. */
async function openWithRight() {
  const { pass, open } = openWorld();
  let endRight = (): void => {};
  const tab = await open(undefined, null, () => ({
    push: () => new Promise(() => {}),
    stream: (_position, { connected, access }) => {
      connected(true);
      endRight = () => access(false);
      return () => {};
    },
  }));
  await pass(1_000);
  return { tab, pass, endRight: () => endRight() };
}

describe("text without a place", () => {
  it("that is more than a third of what was written offline leaves the own version, whatever else was written since", async () => {
    const { service, pass, tab, mine } = await writeAway(["Second", "Third"]);
    tab.network.isOffline = false;
    await pass();
    expect(textOf(service.doc)).toBe("my First! First.|my Fourth Fourth.");
    expect(tab.session.orphans).toEqual(["my Second ", "my Third! "]);
    expect(ownText(tab.session)).toBe(mine);
    typeBefore(tab.session, "First", "later ");
    await pass();
    expect(ownText(tab.session)).toBe(mine);
    takeOwnVersion(tab.session);
    expect(tab.session.ownVersion).toBeNull();
    expect(tab.session.orphans).toEqual([]);
  });

  it("that is less leaves none, and neither does text that was deleted while it was on its way", async () => {
    const { pass, tab, bob } = await writeAway(["Second"]);
    tab.network.isOffline = false;
    await pass();
    expect(tab.session.orphans).toEqual(["my Second "]);
    expect(tab.session.ownVersion).toBeNull();
    remove(bob.session, "Third");
    await pass(60);
    typeBefore(tab.session, "Third", "now ");
    await pass();
    expect(tab.session.orphans).toEqual(["my Second ", "now "]);
    expect(tab.session.ownVersion).toBeNull();
  });

  it("of an earlier time stays when the own version is taken, although that has the same letters", async () => {
    const { service, pass, tab, bob } = await writeAway([]);
    tab.network.isOffline = false;
    await pass();
    const loseOnTheWay = async (text: string): Promise<void> => {
      const { tr, doc } = bob.session.state;
      bob.session.dispatch(tr.insert(doc.content.size, schema.nodeFromJSON(parseMarkdown("Gone.\n")).content));
      await pass();
      remove(bob.session, "Gone");
      await pass(60);
      typeBefore(tab.session, "Gone", text);
      await pass();
    };
    for (const text of ["yes ", "et"]) await loseOnTheWay(text);
    expect(tab.session.orphans).toEqual(["yes ", "et"]);
    tab.network.isOffline = true;
    typeBefore(tab.session, "Second", "yesterday ");
    await pass(1_000);
    remove(bob.session, "Second");
    await pass(1_000);
    tab.network.isOffline = false;
    await pass();
    expect(textOf(service.doc)).not.toContain("yesterday");
    expect(ownText(tab.session)).toContain("yesterday ");
    takeOwnVersion(tab.session);
    expect(tab.session.orphans).toEqual(["yes ", "et"]);
  });

  it("of several paragraphs and a picture goes with the own version", async () => {
    const { tab, pass, endRight } = await openWithRight();
    const written = schema.nodeFromJSON(parseMarkdown("One.\n\nTwo ![a picture](/picture.png) more.\n"));
    tab.session.dispatch(tab.session.state.tr.insert(0, written.content));
    await pass(1_000);
    const orphans = new Orphans(new SessionListeners(), [], true);
    orphans.keep(tab.session.state, ["One.\nTwo /picture.png more.", "One.Two"], true);
    orphans.dismiss(orphans.ownVersion ?? "");
    expect(orphans.texts).toEqual(["One.Two"]);
    endRight();
    expect(tab.session.orphans).toEqual(["One.", "Two /picture.png more."]);
    takeOwnVersion(tab.session);
    expect(tab.session.orphans).toEqual([]);
  });

  it("that was written after the first loss is in the version that its own loss leads to", async () => {
    const { tab, removeAsBob } = await writeUnanswered();
    await removeAsBob("Second");
    expect(tab.session.orphans).toEqual(["my Second "]);
    expect(tab.session.ownVersion).toBeNull();
    typeBefore(tab.session, "Third", "written later ");
    await removeAsBob("Third");
    expect(tab.session.orphans).toEqual(["my Second ", "written later my Third! "]);
    expect(ownText(tab.session)).toBe("my First! First.|written later my Third! Third.|my Fourth Fourth.");
    takeOwnVersion(tab.session);
    expect(tab.session.orphans).toEqual(["my Second "]);
  });

  it("that was written after an own version was offered stays when that is taken", async () => {
    const { tab, removeAsBob } = await writeUnanswered();
    const mine = textOf(tab.session.state.doc);
    await removeAsBob("Second");
    await removeAsBob("Third");
    expect(ownText(tab.session)).toBe(mine);
    typeBefore(tab.session, "Fourth", "ir");
    await removeAsBob("Fourth");
    expect(tab.session.orphans).toEqual(["my Second ", "my Third! ", "irmy Fourth "]);
    expect(ownText(tab.session)).toBe(mine);
    takeOwnVersion(tab.session);
    expect(tab.session.orphans).toEqual(["irmy Fourth "]);
    expect(tab.session.ownVersion).toBeNull();
  });

  it("leaves the own version also where the log has ended, in a tab that goes on with what a closed one has left", async () => {
    const { service, pass, tab, crash, mine } = await writeAway(["First", "Second", "Third"]);
    service.startLog();
    const next = await crash(tab);
    await pass();
    expect(ownText(next.session)).toBe(mine);
    expect(textOf(service.doc)).toBe("my Fourth Fourth.");
    for (const text of next.session.orphans) next.session.dismiss(text);
    expect(next.session.ownVersion).toBeNull();
  });

  it("leaves the own version where the right to write ends", async () => {
    const { tab, pass, endRight } = await openWithRight();
    type(tab.session, "Mine ");
    await pass(1_000);
    endRight();
    expect(tab.session.orphans).toEqual(["Mine "]);
    expect(ownText(tab.session)).toBe("Mine Text.|More.");
  });
});
